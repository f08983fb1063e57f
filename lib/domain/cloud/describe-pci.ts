import { aliasMeaning, aliasTakes } from '@/lib/domain/nova-config/alias-takes'
import { deviceSpecText } from '@/lib/domain/nova-config/device-spec'
import { namesCard } from '@/lib/domain/nova-config/listed-functions'
import type { PciAlias } from '@/lib/domain/nova-config/pci-alias'
import { wholeOffer } from '@/lib/domain/pgpu/handed-out-by'
import { isPci } from '@/lib/domain/pgpu/is-pci'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { ApiAliases } from './api-aliases'
import { isPciInPlacement } from './expected-providers'
import type { JoinedHost } from './fleet-types'
import { pciRulesOf, vfOffer } from './handed-out'
import { listedFunctions } from './vf-promise'

/** The alias of the same name in Nova's API. `unknown`: no API host reports. */
type OnApi = 'same' | 'differs' | 'absent' | 'unknown'

/** `[pci]` of a host compared with its devices and with Nova's API. */
export type HostPci = {
  /** `report_in_placement`. */
  isInPlacement: boolean
  /** Entries of `device_spec` in nova.conf's order, with the pGPUs that each names. */
  specs: { text: string; source: string; pgpus: string[] }[]
  aliases: { name: string; means: string; source: string; takes: string[]; onApi: OnApi }[]
  /** Addresses of pGPUs that are offered for passthrough and that no alias of this host matches. */
  withoutAlias: string[]
}

const cardsOf = (joined: JoinedHost): { pgpu: Pgpu; takes: (alias: PciAlias) => boolean }[] =>
  joined.pgpus.flatMap(({ pgpu }) => {
    const gpu = joined.host.inventory.gpus.find(({ address }) => address === pgpu.address)
    const listed = listedFunctions(joined, pgpu)
    if (gpu === undefined || listed.length === 0 || !isPci(pgpu)) return []
    const offers = listed.map(({ isVf, spec }) =>
      isVf ? vfOffer(joined, pgpu, spec) : wholeOffer(gpu, spec, pciRulesOf(joined)),
    )
    return [{ pgpu, takes: (alias) => offers.some((offer) => aliasTakes(alias, offer) !== false) }]
  })

const onApi = ({ name }: PciAlias, own: readonly PciAlias[], api: ApiAliases): OnApi => {
  if (api.because !== null) return 'unknown'
  const meanings = (aliases: readonly PciAlias[]): string =>
    [...new Set(aliases.filter((alias) => alias.name === name).map(aliasMeaning))].toSorted().join('; ')
  const theirs = api.hosts.map(({ aliases }) => meanings(aliases))
  if (theirs.includes('')) return 'absent'
  return theirs.every((meaning) => meaning === meanings(own)) ? 'same' : 'differs'
}

/** What a host's nova.conf offers for passthrough and which aliases it has; null if it could not be read completely. */
export const describePci = (joined: JoinedHost, api: ApiAliases): HostPci | null => {
  const { nova, pgpus } = joined
  const isInPlacement = isPciInPlacement(joined)
  if (nova === null || nova.gap !== null || isInPlacement === null) return null
  const cards = cardsOf(joined)
  return {
    isInPlacement,
    specs: nova.deviceSpecs.specs.map((spec) => ({
      text: deviceSpecText(spec),
      source: spec.source,
      pgpus: pgpus.flatMap(({ pgpu }) => (namesCard(spec, pgpu) ? [pgpu.address] : [])),
    })),
    aliases: nova.aliases.map((alias) => ({
      name: alias.name,
      means: aliasMeaning(alias),
      source: alias.source,
      takes: cards.filter(({ takes }) => takes(alias)).map(({ pgpu }) => pgpu.address),
      onApi: onApi(alias, nova.aliases, api),
    })),
    withoutAlias: cards.filter(({ takes }) => !nova.aliases.some(takes)).map(({ pgpu }) => pgpu.address),
  }
}
