import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import { effectiveOptions } from '@/lib/domain/nova-config/effective-options'
import { type DeploymentConfig, describeConfigs } from '@/lib/domain/nova-config/layout/describe-configs'
import type { MdevLayout } from '@/lib/domain/nova-config/layout/mdev-layout'
import { type NovaRange, releaseOfRange } from '@/lib/domain/nova-config/nova-releases'
import type { HostLayout } from './host-layout'
import type { HostDraft } from './preview'

/** A host's layout as the input of the texts. */
export const mdevLayout = (host: string, { types, parents }: HostLayout): MdevLayout => ({
  host,
  types,
  parents: parents.map(({ address }) => address),
})

const usesOldNames = ({ joined }: HostDraft): boolean => {
  const config = joined.host.inventory.novaConfig
  return (
    config !== null &&
    effectiveOptions(config).some(
      ({ present, isEffective }) =>
        isEffective &&
        present.isOldName &&
        present.section === 'devices' &&
        present.name === 'enabled_mdev_types',
    )
  )
}

/** The texts are the same for all hosts, so those of the oldest release; null: one is unknown. */
const oldestRelease = (ranges: readonly (NovaRange | null)[]): number | null => {
  const releases = ranges.map(releaseOfRange)
  const known = releases.filter((release) => release !== null)
  return known.length < releases.length || known.length === 0 ? null : Math.min(...known)
}

/** What the change writes into nova.conf, as each deployment tool takes it. */
export const previewConfigs = (fleet: Fleet, drafts: readonly HostDraft[]): DeploymentConfig[] =>
  describeConfigs({
    layouts: drafts.map(({ joined, after }) => mdevLayout(joined.host.name, after)),
    release: oldestRelease(drafts.map(({ joined }) => hostRange(fleet, joined))),
    usesOldNames: drafts.some(usesOldNames),
    reported: drafts.map(({ joined }) => joined.host.inventory.novaConfig?.deployment ?? 'given'),
  })
