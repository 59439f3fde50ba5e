# SPDX-License-Identifier: Apache-2.0
"""summary.py FOLDER PORT MINUTES <RESULTS

Writes summary.md and junit.xml into the folder. A line of the results is LEG, word, seconds, seconds of these that
were builds, and reason, with tabs between; LEG.log in the folder is its output.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

folder, port, minutes = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
results = [line.rstrip("\n").split("\t") for line in sys.stdin]
longest_output = 20_000


def printable(text):
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]", "\N{REPLACEMENT CHARACTER}", text)


count = {word: sum(r[1] == word for r in results) for word in ("passed", "FAILED", "inconclusive")}
suite = xml.Element("testsuite", name="ringspec nightly", tests=str(len(results)), failures=str(count["FAILED"]),
                    errors=str(count["inconclusive"]), time=str(sum(int(r[2]) for r in results)))
lines = [f"# Nightly: {count['passed']} legs passed, {count['FAILED']} failed, {count['inconclusive']} inconclusive", "",
         f"Port {port}, the steps of about {minutes} minutes.", "", "| leg | result | seconds | and to build | |",
         "| --- | --- | ---: | ---: | --- |"]
for leg, word, seconds, building, reason in results:
    lines.append(f"| {leg} | {word} | {int(seconds) - int(building)} | {building} | {reason.replace('|', chr(92) + '|')} |")
    case = xml.SubElement(suite, "testcase", classname="nightly", name=leg, time=seconds)
    output = printable((folder / f"{leg}.log").read_text(errors="replace"))[-longest_output:]
    if word != "passed":
        # JUnit knows no inconclusive: an error is what could not be carried through, and no reader takes it for a pass.
        xml.SubElement(case, "failure" if word == "FAILED" else "error", message=printable(reason)).text = output
    else:
        xml.SubElement(case, "system-out").text = output
(folder / "summary.md").write_text("\n".join(lines) + "\n")
xml.ElementTree(suite).write(folder / "junit.xml", encoding="utf-8", xml_declaration=True)
