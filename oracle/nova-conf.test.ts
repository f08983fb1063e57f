import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, test } from 'vitest'
import { openOracle } from './harness/open-oracle'
import { expectAsNova } from './nova/expect-as-nova'
import { createNovaConfRules, createOurNovaConf } from './nova/nova-conf'
import { generateNovaConf } from './nova/nova-conf-text'
import { askRelease } from './nova/nova-packages'

const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-oracle-'))
const oracle = openOracle('nova_conf')
const release = await askRelease(oracle)
afterAll(() => {
  oracle.close()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!release.isDescribed)('nova.conf is read as oslo.config reads it for Nova', async () => {
  await expectAsNova('nova.conf', {
    oracle,
    release,
    fn: 'options',
    generate: generateNovaConf,
    ours: createOurNovaConf(folder),
    explained: createNovaConfRules(folder, release.range),
  })
})
