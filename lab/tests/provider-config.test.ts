import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { checkProviderTraits } from '@/lib/domain/nova-config/layout/provider-config'
import { namedTwice } from '@/lib/domain/nova-config/provider-config-now'
import {
  PROVIDER_CONFIG_FILE,
  type ProviderTraits,
  providerConfigContent,
} from '@/lib/schemas/agent/provider-config'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { previewChange } from '@/lib/services/change/preview-change'
import { previewOfKind } from '@/lib/services/change/testing/preview-of-kind'
import { createLabChanges } from './lab-changes'
import { hostFile, labHosts, treeOf } from './lab-cloud'
import { becomesCalm } from './lab-fleet'
import { ADDRESS, HOST, openLabPgpu, T4_4Q } from './lab-pgpu'
import { inLongForm } from './long-form'
import { openNovaReader } from './nova-reader'
import { openOperator, waitUntil } from './operator'
import { restartInVain } from './restart-compute'

const T4 = `${HOST}_pci_0000_84_00_0`
const A2 = `${HOST}_pci_0000_41_00_4`

describe('a file of provider config', () => {
  const folder = hostFile(labHosts()[0] ?? '', 'provider-config')
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const ask = openNovaReader()

  /** What nova-compute would make of a folder with the console's file and perhaps another one. */
  const readByNova = async (entries: readonly ProviderTraits[], other: string | null) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, PROVIDER_CONFIG_FILE), providerConfigContent(entries))
    if (other !== null) writeFileSync(path.join(folder, 'rack.yaml'), other)
    return ask('provider', [folder])
  }

  it('of the console is read by Nova as it was meant', async () => {
    const entries = [
      { provider: T4, traits: ['CUSTOM_GRID_T4_4Q', 'CUSTOM_RACK_7'] },
      { provider: A2, traits: ['CUSTOM_NVIDIA_A2_4Q'] },
    ]
    expect(await readByNova(entries, null)).toEqual({
      made: { [T4]: ['CUSTOM_GRID_T4_4Q', 'CUSTOM_RACK_7'], [A2]: ['CUSTOM_NVIDIA_A2_4Q'] },
    })
  })

  const named = (id: string): string =>
    `meta:\n  schema_version: '1.0'\nproviders:\n  - identification:\n      ${id}\n    traits:\n      additional:\n        - 'CUSTOM_RACK_7'\n`

  it.each<{ what: string; entries: ProviderTraits[]; other: string | null; says: string | null }>([
    {
      what: 'a provider that is listed twice',
      entries: [
        { provider: T4, traits: ['CUSTOM_GRID_T4_4Q'] },
        { provider: T4, traits: ['CUSTOM_RACK_7'] },
      ],
      other: null,
      says: 'multiple definitions',
    },
    {
      what: 'a standard trait',
      entries: [{ provider: T4, traits: ['HW_GPU_API_VULKAN'] }],
      other: null,
      says: 'only custom traits are allowed',
    },
    {
      what: 'a trait in small letters',
      entries: [{ provider: T4, traits: ['CUSTOM_t4'] }],
      other: null,
      says: 'did not pass validation',
    },
    {
      what: 'a provider that another file names too',
      entries: [{ provider: T4, traits: ['CUSTOM_GRID_T4_4Q'] }],
      other: named(`name: '${T4}'`),
      says: 'multiple definitions',
    },
    {
      what: 'another file that names another provider',
      entries: [{ provider: T4, traits: ['CUSTOM_GRID_T4_4Q'] }],
      other: named(`name: '${A2}'`),
      says: null,
    },
  ])('is refused by Nova where the console refuses it: $what', async ({ entries, other, says }) => {
    const now = {
      path: `/etc/nova/provider_config/${PROVIDER_CONFIG_FILE}`,
      own: null,
      others: other === null ? [] : [{ path: '/etc/nova/provider_config/rack.yaml', text: other }],
    }
    const refusals = [...checkProviderTraits(entries, 26), namedTwice(now, entries) ?? []].flat()
    const byNova = await readByNova(entries, other)
    expect('refused' in byNova).toBe(refusals.length > 0)
    if ('refused' in byNova) expect(byNova.refused).toContain(says ?? 'nothing')
  })
})

describe('traits in provider config', () => {
  const changes = createLabChanges()
  let operator: Awaited<ReturnType<typeof openOperator>>
  let pgpu: ReturnType<typeof openLabPgpu>
  const configs = path.join(treeOf(HOST), 'etc/nova/provider_config')
  beforeAll(async () => {
    operator = await openOperator()
    pgpu = openLabPgpu(operator)
  })
  afterAll(async () => {
    if (existsSync(configs)) {
      rmSync(configs, { recursive: true })
      await pgpu.restart()
    }
    await pgpu.repair([])
    await operator.close()
  })

  const input = (): PlanChange => ({
    cloud: changes.cloud().name,
    kind: 'traits',
    gpus: [{ host: HOST, address: ADDRESS }],
    rule: null,
    providerConfig: 'write',
  })

  const startedAt = async () => (await scanHost({ root: treeOf(HOST) })).host.novaCompute?.startedAt ?? null

  /** Nova recreates a provider at its start; null until it has one with the pGPU's total. */
  const recreated = async (old: string) => {
    const now = await operator.offered(T4)
    return now !== null && now.uuid !== old && now.totals.VGPU === T4_4Q.total ? now : null
  }

  it('are on a provider that Nova recreates, without a write', async () => {
    const before = await startedAt()
    await changes.readRound()
    const planned = await changes.plan(input())
    expect(planned.steps.map(({ id, doer }) => [id.split('/')[0], doer])).toEqual([
      ['restart-nova', 'agent'],
      ['write-provider-config', 'agent'],
      ['restart-nova', 'agent'],
    ])
    await changes.run(planned.id, { action: 'start', state: 'done' })
    const file = readFileSync(path.join(configs, PROVIDER_CONFIG_FILE), 'utf8')
    expect(file).toContain(T4)
    expect(file).toContain(T4_4Q.trait)
    expect(await startedAt()).not.toBe(before)

    const { uuid: old } = (await operator.providerNamed(T4)) ?? { uuid: '' }
    await operator.placement.deleteProvider(old)
    await pgpu.restart()
    await waitUntil('another provider with its trait', async () =>
      (await recreated(old))?.traits.includes(T4_4Q.trait) ? true : null,
    )
    expect((await changes.readRound()).filter(({ severity }) => severity !== 'info')).toEqual([])

    await changes.run(planned.id, { action: 'roll-back', state: 'undone' })
    expect(existsSync(path.join(configs, PROVIDER_CONFIG_FILE))).toBe(false)
    // nova-compute takes nothing off that it once put on.
    expect((await pgpu.offered())?.traits).toEqual([T4_4Q.trait])
  }, 900_000)

  inLongForm.each([
    {
      by: 'name',
      expected: 'nova-compute does not start',
      says: `Provider ${T4} has multiple definitions`,
      isEnding: true,
    },
    // Both are taken at the start, and fall out with each other at every period.
    {
      by: 'uuid',
      expected: 'nova-compute no longer updates Placement for this host',
      says: 'The same provider is specified using both name',
      isEnding: false,
    },
  ])(
    'have no effect where another file names the provider by $by, which the console does not plan',
    async (wrong) => {
      mkdirSync(configs, { recursive: true })
      try {
        const entries = [{ provider: T4, traits: ['CUSTOM_RACK_7'] }]
        const text = providerConfigContent(entries)
        const { uuid } = (await operator.providerNamed(T4)) ?? { uuid: '' }
        writeFileSync(
          path.join(configs, 'rack.yaml'),
          wrong.by === 'name' ? text : text.replace(`name: '${T4}'`, `uuid: '${uuid}'`),
        )
        await changes.readRound()
        const { steps, preview } = await previewChange(changes.context(), input())
        expect(steps).toEqual([])
        expect(JSON.stringify(previewOfKind('traits', { preview }).traitTexts)).toContain(wrong.expected)
        // An operator does it all the same.
        writeFileSync(path.join(configs, PROVIDER_CONFIG_FILE), text)
        await restartInVain(HOST, wrong)
      } finally {
        rmSync(configs, { recursive: true, force: true })
        await pgpu.restart()
      }
      await pgpu.totalBecomes(T4_4Q.total)
      await becomesCalm()
    },
  )
})
