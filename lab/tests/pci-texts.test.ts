import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { ConfigDeployment } from '@/lib/domain/nova-config/layout/config-text'
import { novaRange } from '@/lib/domain/nova-config/nova-releases'
import { parseAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import { planPassthrough } from '@/lib/domain/plans/passthrough/plan-passthrough'
import { editHosts, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { hostFile, labHosts, NOVA_MAXIMUM } from './lab-cloud'
import { madeOf, openNovaReader } from './nova-reader'

const ask = openNovaReader()

const folder = hostFile(labHosts()[0] ?? '', 'pci')
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** How Nova reads a nova.conf; rejects where Nova refuses it. */
const readByNova = async (text: string): Promise<unknown> => {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'nova.conf')
  writeFileSync(file, text)
  return madeOf(await ask('pci', ['--config-file', file]))
}

const FOUND = { aliases: ['t4'], devices: 1 }

/** The texts of a plan that hands the T4 of a host out whole. */
const textOf = (deployment: ConfigDeployment): string => {
  const cloud = editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    gpus: inventory.gpus.map((gpu) => ({ ...gpu, iommuGroup: 30, iommuGroupDevices: [] })),
  }))
  const fleet = joinFleet(cloud)
  const gpus = fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
  const input = { gpus, to: 'whole', alias: 't4', isFlavorLossAccepted: true, held: [] } as const
  const { typeChange } = planPassthrough(fleet, input)
  const config = typeChange?.configs.find((one) => one.deployment === deployment)
  const found = config?.texts.find(({ text }) => text.includes('device_spec'))
  if (found === undefined) throw new Error(`no text for ${deployment}`)
  return found.text
}

it.each(['nova-conf', 'kolla-ansible'] as const)(
  'takes [pci] as the text for %s has it',
  async (deployment) => {
    expect(await readByNova(textOf(deployment))).toEqual(FOUND)
  },
)

const lines = (name: string, values: readonly string[]): string[] =>
  values.map((value) => `${name} = ${value}`)

it('takes [pci] as os_nova writes the variables for OpenStack-Ansible', async () => {
  const variables = z
    .object({ nova_device_spec: z.array(z.string()), nova_pci_alias: z.array(z.string()) })
    .parse(parse(textOf('openstack-ansible'), { version: '1.1' }))
  const text = [
    '[pci]',
    ...lines('device_spec', variables.nova_device_spec),
    ...lines('alias', variables.nova_pci_alias),
  ]
  expect(await readByNova(`${text.join('\n')}\n`)).toEqual(FOUND)
})

const multistring = z.object({ type: z.literal('multistring'), values: z.array(z.string()) })
const pciSchema = z.object({ device_spec: multistring, alias: multistring })

/** At any depth of a tree of values. */
const pciIn = (value: unknown): z.infer<typeof pciSchema> | null => {
  if (typeof value !== 'object' || value === null) return null
  const own = z.object({ pci: pciSchema }).safeParse(value)
  if (own.success) return own.data.pci
  return (
    Object.values(value)
      .map(pciIn)
      .find((found) => found !== null) ?? null
  )
}

it.each(['openstack-helm', 'mosk'] as const)(
  'takes [pci] as charts write the values for %s',
  async (deployment) => {
    const pci = pciIn(parse(textOf(deployment)))
    const text = [
      '[pci]',
      ...lines('device_spec', pci?.device_spec.values ?? []),
      ...lines('alias', pci?.alias.values ?? []),
    ]
    expect(await readByNova(`${text.join('\n')}\n`)).toEqual(FOUND)
  },
)

const AS_PF = '"device_type": "type-PF"'
const IDS = '"vendor_id": "10de", "product_id": "1eb8"'

it.each([
  ['two of them', '{"name": "a", "vendor_id": "10de"}', '{"name": "b", "product_id": "1eb8"}'],
  ['no JSON', "{'name': 'a'}", null],
  ['a comma too many', '{"name": "a",}', null],
  ['no name', '{"vendor_id": "10de"}', null],
  ['a name alone', '{"name": "a"}', null],
  ['a name of one blank', '{"name": " "}', null],
  ['an id of another form', '{"name": "a", "vendor_id": "0x10de"}', null],
  ['an id in capitals', '{"name": "a", "vendor_id": "10DE"}', null],
  ['an id that is null', '{"name": "a", "vendor_id": null}', null],
  ['an unknown key', '{"name": "a", "model": "T4"}', null],
  ['a resource class', `{"name": "a", "resource_class": "PGPU", ${IDS}}`, null],
  ['a resource class alone', '{"name": "a", "resource_class": "PGPU"}', null],
  ['live_migratable', `{"name": "a", "live_migratable": "yes", ${IDS}}`, null],
  ['two kinds', '{"name": "a", "device_type": "type-PCI"}', `{"name": "a", ${AS_PF}}`],
  ['alternatives', `{"name": "a", ${AS_PF}}`, `{"name": " a", ${AS_PF}}`],
  ['alternatives without device_type', `{"name": "a", ${IDS}}`, `{"name": "a", ${IDS}}`],
  ['quotes around it', `'{"name": "a", ${IDS}}'`, null],
  ['several lines', `{"name": "a",\n  ${IDS}}`, null],
  ['several lines in quotes', `'{\n  "name": "a",\n  ${IDS}\n  }'`, null],
  ['an indented comment after it', `{"name": "a", ${IDS}}\n  # a note`, null],
  ['an indented alias after it', `{"name": "a", ${IDS}}\n  alias = {"name": "b", ${IDS}}`, null],
  ['a second line without indentation', `{"name": "a",\n${IDS}}`, null],
])('accepts and refuses aliases as the Nova of the lab does: %s', async (_, first, second) => {
  for (const isByPlacement of ['True', 'False']) {
    const text = [
      '[pci]',
      `alias = ${first}`,
      ...(second === null ? [] : [`alias = ${second}`]),
      '[filter_scheduler]',
      `pci_in_placement = ${isByPlacement}`,
    ].join('\n')
    const byNova = await readByNova(`${text}\n`).then(
      () => true,
      () => false,
    )
    expect(parseAliasLines(text, novaRange(NOVA_MAXIMUM)).problem === null, isByPlacement).toBe(byNova)
    // The release may be unknown; a text that this Nova accepts is then accepted too.
    if (byNova) expect(parseAliasLines(text).problem).toBeNull()
  }
})
