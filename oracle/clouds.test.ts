import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '@/agent/http/testing/loopback-certificate'
import { createCloudsRules } from './clouds/explained'
import { generateClouds } from './clouds/generate'
import { resolveOurs, resolveTheirs } from './clouds/resolved'
import { compareFunction } from './harness/compare-function'
import { expectAgreement } from './harness/expect-agreement'
import { askVersions, openOracle, printVersions } from './harness/open-oracle'

const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-oracle-'))
const tls = {
  ca: path.join(folder, 'ca.pem'),
  cert: path.join(folder, 'cert.pem'),
  key: path.join(folder, 'key.pem'),
}
writeFileSync(tls.ca, LOOPBACK_CERTIFICATE)
// As requests reads it without a separate key: both in one file.
writeFileSync(tls.cert, `${LOOPBACK_CERTIFICATE}\n${LOOPBACK_KEY}`)
writeFileSync(tls.key, LOOPBACK_KEY)
mkdirSync(path.join(folder, 'inputs'))
const oracle = openOracle('clouds')
afterAll(() => {
  oracle.close()
  rmSync(folder, { recursive: true, force: true })
})

const SLOTS = 64
let inputs = 0

test('clouds.yaml is read as openstacksdk and keystoneauth read it', async () => {
  const versions = await askVersions(oracle)
  printVersions('clouds.yaml', versions)
  await expectAgreement('clouds.yaml', (run) =>
    compareFunction(
      {
        oracle,
        fn: 'load',
        generate: (random) => generateClouds(random, tls),
        question: (input) => input,
        ours: (input) => {
          inputs += 1
          return resolveOurs(input, path.join(folder, 'inputs', String(inputs % SLOTS)))
        },
        theirs: resolveTheirs,
        isAgreed: (ours, theirs) => isDeepStrictEqual(ours.clouds, theirs.clouds),
        isAccepted: (theirs) => theirs.refusals === '',
        explained: createCloudsRules(versions),
      },
      run,
    ),
  )
  expect(inputs).toBeGreaterThan(0)
})
