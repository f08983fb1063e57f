import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { mdevProviderName } from '@/lib/domain/cloud/provider-name'
import {
  isSameProviderConfig,
  namedTwice,
  type ProviderConfigNow,
  providerConfigNow,
} from '@/lib/domain/nova-config/provider-config-now'
import type { ProviderTraits } from '@/lib/schemas/agent/provider-config'
import type { ChangeTarget } from '../step'
import { type ProviderConfigStep, providerConfigSteps } from './provider-config-steps'
import type { TraitTexts } from './trait-texts'

/**
 * The change of provider config on the hosts: `write`: it gets every pGPU of them; `remove`: it loses the chosen ones.
 */
export type ProviderConfigChoice = 'leave' | 'write' | 'remove'

type File = TraitTexts['files'][number] & { entries: readonly ProviderTraits[] }
type Outcome = { steps: ProviderConfigStep[]; problem: string | null }

const NONE: Outcome = { steps: [], problem: null }

/** Names of the providers that stand, or would stand, for the chosen pGPUs of a host. */
const chosenNames = (joined: JoinedHost, gpus: readonly ChangeTarget[]): Set<string> => {
  const rootName = joined.root.value?.name ?? joined.host.name
  const own = joined.pgpus.filter(({ pgpu }) =>
    gpus.some(({ host, address }) => host === joined.host.name && address === pgpu.address),
  )
  return new Set(
    own.flatMap(({ functions }) =>
      functions.map((address) => mdevProviderName({ hypervisorHostname: rootName, address })),
    ),
  )
}

const withUuids = (joined: JoinedHost, entries: readonly ProviderTraits[]) => {
  const uuids = new Map(
    joined.pgpus.flatMap(({ providers }) => providers.map(({ provider }) => [provider.name, provider.uuid])),
  )
  return entries.map((entry) => ({ ...entry, uuid: uuids.get(entry.provider) ?? null }))
}

const becoming = (
  joined: JoinedHost,
  { now, after }: { now: ProviderConfigNow; after: readonly ProviderTraits[] | null },
): Outcome => {
  if (isSameProviderConfig(now.own, after)) return NONE
  const problem = after === null ? null : namedTwice(now, withUuids(joined, after))
  if (problem !== null) return { steps: [], problem }
  return { steps: providerConfigSteps({ joined, path: now.path, before: now.own, after }), problem: null }
}

const written = (joined: JoinedHost, file: File): Outcome => {
  if (file.text === null) return NONE
  const { now, reason } = providerConfigNow(joined.host.inventory.novaConfig)
  if (now === null) return { steps: [], problem: reason }
  return becoming(joined, { now, after: file.entries })
}

const removed = (joined: JoinedHost, gpus: readonly ChangeTarget[]): Outcome => {
  const { now, reason } = providerConfigNow(joined.host.inventory.novaConfig)
  if (now === null) return { steps: [], problem: reason }
  const names = chosenNames(joined, gpus)
  const left = (now.own ?? []).filter(({ provider }) => !names.has(provider))
  return becoming(joined, { now, after: left.length === 0 ? null : left })
}

/**
 * Steps that write provider config on the hosts of chosen pGPUs, or take these out of it, by host; and why not. Where nothing
 * is to change there are none.
 */
export const planProviderConfig = (
  fleet: Fleet,
  {
    choice,
    gpus,
    files,
  }: { choice: ProviderConfigChoice; gpus: readonly ChangeTarget[]; files: readonly File[] },
): ReadonlyMap<string, Outcome> => {
  if (choice === 'leave') return new Map()
  const names = new Set(gpus.map(({ host }) => host))
  return new Map(
    fleet.hosts
      .filter(({ host }) => names.has(host.name))
      .map((joined) => {
        const file = files.find(({ host }) => host === joined.host.name)
        const outcome =
          choice === 'remove' ? removed(joined, gpus) : file === undefined ? NONE : written(joined, file)
        return [joined.host.name, outcome]
      }),
  )
}
