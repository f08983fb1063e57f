import { afterAll, beforeAll, test } from 'vitest'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { compareFunction, type Explained } from './harness/compare-function'
import { expectAgreement } from './harness/expect-agreement'
import type { Oracle, OracleAnswer } from './harness/open-oracle'
import type { Random } from './harness/random'
import { ALIASES_EXPLAINED, generateAliases, ourAliases, theirAliases } from './nova/aliases'
import {
  DEVICE_SPECS_EXPLAINED,
  generateDeviceSpec,
  ourDeviceSpec,
  theirDeviceSpec,
} from './nova/device-specs'
import { askRelease, openNova } from './nova/nova-packages'

const pci = openNova('nova_pci')
let range: NovaRange
let label: string
beforeAll(async () => {
  const release = await askRelease(pci)
  range = release.range
  label = `Nova ${release.version}`
}, 60_000)
afterAll(() => pci.close())

type NovaFunction<Input, Result> = {
  oracle: Oracle
  fn: string
  generate: (random: Random) => Input
  ours: (input: Input, range: NovaRange) => Result
  theirs: (answer: OracleAnswer) => Result
  explained: readonly Explained<Input, Result>[]
}

const expectAsNova = async <Input, Result>(
  what: string,
  { ours, ...compared }: NovaFunction<Input, Result>,
): Promise<void> =>
  expectAgreement(`${label}: ${what}`, (run) =>
    compareFunction(
      {
        ...compared,
        question: (input) => input,
        ours: (input) => ours(input, range),
        isAccepted: (theirs) => theirs !== null,
      },
      run,
    ),
  )

test('PCI aliases are accepted and read as Nova does', async () => {
  await expectAsNova('PCI aliases', {
    oracle: pci,
    fn: 'aliases',
    generate: generateAliases,
    ours: ourAliases,
    theirs: theirAliases,
    explained: ALIASES_EXPLAINED,
  })
})

test('device_spec takes the devices that Nova takes, with class and traits', async () => {
  await expectAsNova('device_spec', {
    oracle: pci,
    fn: 'device_spec',
    generate: generateDeviceSpec,
    ours: ourDeviceSpec,
    theirs: theirDeviceSpec,
    explained: DEVICE_SPECS_EXPLAINED,
  })
})
