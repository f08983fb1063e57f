import type { CloudHostFacts, FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { CloudFacts, ResourceProvider } from '@/lib/domain/cloud/types'
import {
  CLOUD_FINDINGS,
  type DetectedFindings,
  detectCloudFindings,
} from '@/lib/domain/findings/cloud/registry'
import type { Finding } from '@/lib/domain/findings/finding'
import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { describedFor, hostFacts, readPart } from './build-cloud'
import { novaConf } from './build-inventory'
import { buildHealthyCloud } from './healthy-cloud'

/** One host with one T4: two of four T4-4C used, one spare. */
export const t4Cloud = (): FleetFacts =>
  buildHealthyCloud([{ cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false }])

/** One host with one A40: three of twelve A40-4Q used, one spare. */
export const a40Cloud = (): FleetFacts =>
  buildHealthyCloud([{ cards: [{ kind: 'A40', used: 3, spare: 1 }], hasDomain: true }])

export const withFacts = (input: FleetFacts, facts: Partial<CloudFacts>): FleetFacts => ({
  ...input,
  facts: { ...input.facts, ...facts },
  hosts: facts.versions === undefined ? input.hosts : describedFor({ versions: facts.versions }, input.hosts),
})

type ListPart =
  | 'providers'
  | 'allocations'
  | 'services'
  | 'servers'
  | 'migrations'
  | 'flavors'
  | 'aggregates'
  | 'hypervisors'
type Item<Part extends ListPart> = NonNullable<CloudFacts[Part]['value']>[number]

/** Edits, removes (null) or keeps each item of a list that a service reported. */
export const editList = <Part extends ListPart>(
  input: FleetFacts,
  part: Part,
  edit: (item: Item<Part>, index: number) => Item<Part> | null,
): FleetFacts => {
  const items = (input.facts[part].value ?? []) as readonly Item<Part>[]
  return withFacts(input, {
    [part]: readPart(items.map(edit).filter((item) => item !== null)),
  })
}

/** Edits the children of compute nodes: the providers of GPUs. */
export const editGpuProviders = (
  input: FleetFacts,
  edit: (provider: ResourceProvider, index: number) => ResourceProvider | null,
): FleetFacts =>
  editList(input, 'providers', (provider, index) =>
    provider.parentUuid === null ? provider : edit(provider, index),
  )

/** Edits the reports of the hosts' agents, and describes the hosts again. */
export const editHosts = (
  input: FleetFacts,
  edit: (inventory: Inventory) => Inventory,
  rest: Partial<CloudHostFacts> = {},
): FleetFacts => ({
  ...input,
  hosts: describedFor(
    input.facts,
    input.hosts.map((host) => hostFacts(edit(structuredClone(host.inventory)), rest)),
  ),
})

export const editNovaConf = (input: FleetFacts, text: string): FleetFacts =>
  editHosts(input, (inventory) => ({
    ...inventory,
    novaConfig: novaConf(`${text}\n[DEFAULT]\nresume_guests_state_on_host_boot = True`),
  }))

/** What is found. Fails for a code that no detector has. */
export const detect = (input: FleetFacts): DetectedFindings => {
  const detected = detectCloudFindings(joinFleet(input))
  for (const { code } of [...detected.findings, ...detected.unverified])
    if (!(code in CLOUD_FINDINGS) && !(code in HOST_FINDINGS))
      throw new Error(`no detector has the code ${code}`)
  return detected
}

/** `code: sentence` of everything that is found. */
export const sentences = (input: FleetFacts): string[] =>
  detect(input).findings.map(({ code, sentence }) => `${code}: ${sentence}`)

/** The only finding of a code; anything else fails the test. */
export const findOne = (input: FleetFacts, code: string): Finding => {
  const found = detect(input).findings.filter((finding) => finding.code === code)
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} findings ${code}`)
  return first
}

/** Why a detector could not tell; empty when it could. */
export const gapsOf = (input: FleetFacts, code: string): string[] =>
  detect(input)
    .unverified.filter((gap) => gap.code === code)
    .map(({ because }) => because)
