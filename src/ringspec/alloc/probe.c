/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger's own canary: a module that allocates once and releases once. If the ledger does not see both, the taps do
 * not work in this process and no allocation count may be believed. */
#include <stdlib.h>

__attribute__((visibility("default"))) int ringspec_probe(void);

int ringspec_probe(void) {
  void *volatile block = malloc(24);
  const int made = block != NULL;
  free(block);
  return made;
}
