import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type {
  Fleet,
  GpuProvider,
  JoinedHost,
  JoinedPgpu,
  RememberedTraits,
} from '@/lib/domain/cloud/fleet-types'
import { judgeManagedTrait } from '@/lib/domain/cloud/judge-managed-trait'
import { groupBy } from '@/lib/domain/cloud/match-host'
import { listText } from '@/lib/domain/wording'
import { cloudReports, type JoinedHostDetector, makeFinding } from './detector'
import { traitCommand } from './trait-command'

const customOf = (traits: readonly string[] | null): string[] =>
  (traits ?? []).filter((trait) => trait.startsWith('CUSTOM_'))

export type TraitLoss = { entry: GpuProvider; traits: string[]; before: string; at: string | null }

/** Nova recreated the provider (another uuid), and the traits of the old one are lost. */
const afterRecreation = (entry: GpuProvider, remembered: RememberedTraits | undefined): TraitLoss | null => {
  if (remembered === undefined || remembered.providerUuid === entry.provider.uuid) return null
  const traits = customOf(remembered.traits).filter((trait) => !entry.provider.traits?.includes(trait))
  return traits.length === 0
    ? null
    : { entry, traits, before: `${remembered.providerUuid} had ${listText(traits)}`, at: remembered.at }
}

/** Some VFs of one card and type carry a trait and others do not: those were re-created, or forgotten. */
const lossesBySiblings = (providers: readonly GpuProvider[], at: string | null): TraitLoss[] => {
  const all = [...new Set(providers.flatMap(({ provider }) => customOf(provider.traits)))]
  return providers.flatMap((entry) => {
    const traits = all.filter((trait) => !entry.provider.traits?.includes(trait))
    return traits.length === 0
      ? []
      : [{ entry, traits, before: `other providers of the card have ${listText(traits)}`, at }]
  })
}

/**
 * What the providers of a pGPU have lost: since Nova recreated them, else compared with others of the same card and type.
 * A card in passthrough has lost nothing: Nova writes the traits of PCI in Placement.
 */
export const lossesOf = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): TraitLoss[] => {
  const known = entry.providers.filter(({ kind, provider }) => kind === 'mdev' && provider.traits !== null)
  const recreated = known
    .map((provider) =>
      afterRecreation(provider, fleet.rememberedTraits.get(`${joined.host.name} ${provider.address}`)),
    )
    .filter((loss) => loss !== null)
  if (recreated.length > 0) return recreated
  const types = new Map(
    (expectedParents(joined, entry.pgpu.address) ?? []).map((parent) => [parent.address, parent.typeId]),
  )
  const typed = known.filter(({ address }) => types.has(address))
  const groups = groupBy(typed, ({ address }) => types.get(address) ?? '')
  return [...groups.values()].flatMap((group) => lossesBySiblings(group, fleet.input.facts.providers.at))
}

/** The console is restoring it, or it was removed manually and another finding reports that. */
const isReportedElsewhere = (
  fleet: Fleet,
  { host, address, trait }: { host: string; address: string; trait: string },
) =>
  fleet.managedTraits
    .get(`${host} ${address}`)
    ?.filter((managed) => managed.trait === trait && managed.problem === null)
    .some((managed) => ['lost', 'taken-off'].includes(judgeManagedTrait(fleet, managed).state)) ?? false

const unreportedLosses = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): TraitLoss[] =>
  lossesOf(fleet, joined, entry).flatMap((loss) => {
    const position = { host: joined.host.name, address: loss.entry.address }
    const traits = loss.traits.filter((trait) => !isReportedElsewhere(fleet, { ...position, trait }))
    return traits.length === 0 ? [] : [{ ...loss, traits }]
  })

/** Why the console could not put a trait back that it is to keep. */
const problemOf = (fleet: Fleet, { host, address }: { host: string; address: string }): string | null =>
  fleet.managedTraits.get(`${host} ${address}`)?.find(({ problem }) => problem !== null)?.problem ?? null

/**
 * Custom traits that a provider has lost, most often because Nova deleted and re-created it (nova/virt/libvirt/driver.py
 * _update_provider_tree_for_vgpu).
 */
export const traitLost: JoinedHostDetector = {
  code: 'trait-lost',
  title: 'A resource provider has lost its traits',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection:
      'Placement and console: a recreated provider lacks the custom traits of its predecessor, or of the other providers of the card.',
    consequence: 'Flavors that require the traits no longer find these vGPUs.',
    nextStep: 'Add the traits again, and let the console manage them or write a provider config file.',
  },
  needs: ['providers'],
  hostNeeds: ['root'],
  detect: (joined, fleet) =>
    joined.pgpus.flatMap((entry) => {
      const losses = unreportedLosses(fleet, joined, entry)
      const [first] = losses
      if (first === undefined) return []
      const traits = listText([...new Set(losses.flatMap((loss) => loss.traits))])
      const names = listText(losses.map((loss) => loss.entry.provider.name))
      const problem = problemOf(fleet, { host: joined.host.name, address: first.entry.address })
      return [
        makeFinding({
          code: 'trait-lost',
          severity: 'warning',
          subject: { kind: 'pgpu', host: joined.host.name, address: entry.pgpu.address },
          sentence: `${losses.length === 1 ? 'a provider' : `${losses.length} providers`} of the pGPU lost ${traits}`,
          consequence: `Flavors that require ${traits} no longer find these vGPUs.`,
          nextStep:
            problem === null
              ? 'Add the traits again, and let the console manage them or write them into a provider config file.'
              : `Add the traits manually: the console manages them, but could not restore them (${problem}).`,
          command: traitCommand(losses.map((loss) => ({ provider: loss.entry.provider, on: loss.traits }))),
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(fleet, 'providers', `${names}: without ${traits}`),
            { source: 'placement', reported: first.before, at: first.at },
          ],
        }),
      ]
    }),
}
