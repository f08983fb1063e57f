import { NOVA_RULES, type NovaRange, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { isSameOrNewer } from './version'

/**
 * What nova-compute does about mdevs when it starts.
 * - `looks-up` (up to 2024.1, and later with a libvirt before 7.3): it queries libvirt for each attached mdev that sysfs
 *   lacks, recreates it if libvirt knows it, and exits if libvirt does not.
 * - `starts-defined` (2024.2 and newer): it starts every defined mdev that is not active, used or not, and exits if one
 *   cannot be started.
 * - Null: the release is unknown.
 */
export type MdevStart = 'looks-up' | 'starts-defined' | null

/** The libvirt that keeps definitions of mdevs. */
const DEFINITIONS_SINCE = NOVA_RULES.persistentMdevs.minimum.libvirt

/** libvirt's name of an mdev contains its parent since then (bug 1951656). */
const NAMES_SINCE = '7.7'

/**
 * By the releases that nova-compute may be and libvirt's version.
 * Source: nova/virt/libvirt/driver.py init_host, _recreate_assigned_mediated_devices, _start_inactive_mediated_devices.
 */
export const mdevStart = ({
  range,
  libvirt,
}: {
  range: NovaRange | null
  libvirt: string | null
}): MdevStart => {
  if (range === null) return null
  const isPersistent = rangeHas(range, 'persistentMdevs')
  if (isPersistent === false) return 'looks-up'
  // From Nova 32 on the older way is gone.
  if (rangeHas(range, 'noMdevLookUp') === true) return 'starts-defined'
  const hasDefinitions = isSameOrNewer(libvirt, DEFINITIONS_SINCE)
  if (hasDefinitions === false) return 'looks-up'
  return hasDefinitions === true && isPersistent === true ? 'starts-defined' : null
}

/**
 * Whether libvirt finds a defined, inactive mdev by the name that nova-compute uses: since 7.7 the name contains the
 * parent and only active mdevs are searched by its beginning, and before 7.3 libvirt has no definitions.
 */
export const findsDefined = (libvirt: string | null): boolean | null => {
  const [isKnowing, isSuffixed] = [
    isSameOrNewer(libvirt, DEFINITIONS_SINCE),
    isSameOrNewer(libvirt, NAMES_SINCE),
  ]
  return isKnowing === null || isSuffixed === null ? null : isKnowing && !isSuffixed
}
