import { XmlError } from '@/agent/xml/xml-error'
import type { Guest, Problem } from '@/lib/schemas/agent/inventory'
import { type GuestFacts, readGuestXml } from './guest-xml'
import type { FileStamp, HostFiles } from './host-files'
import type { ProblemLog } from './problem-log'

/**
 * Where deployments keep libvirt's guest XML. /run is the host's own for packages, Kolla (bind mount of /run), openstack-helm
 * and MOSK, TripleO and RHOSO (bind mount of /run/libvirt). The persistent XML lies in /etc/libvirt/qemu but for
 * - Kolla: the volume `nova_libvirt_qemu` (kolla-ansible roles/nova-cell/defaults), Docker's or Podman's;
 * - the Sunbeam snap: libvirt is built with its own sysconfdir and localstatedir (snap/snapcraft.yaml).
 * All that exist are read: a guest that is overlooked would make its vGPU look unused.
 */
const SNAP = '/var/snap/openstack-hypervisor/common'

const LIVE_FOLDERS = ['/run/libvirt/qemu', `${SNAP}/run/libvirt/qemu`] as const

const PERSISTENT_FOLDERS = [
  '/var/lib/docker/volumes/nova_libvirt_qemu/_data',
  '/var/lib/containers/storage/volumes/nova_libvirt_qemu/_data',
  `${SNAP}/etc/libvirt/qemu`,
  '/etc/libvirt/qemu',
] as const

/** libvirt's live XML of a guest with 64 disks is about 120 kB. */
const XML_LIMIT_BYTES = 2 * 1024 * 1024
/** The contract's bounds. */
const MAX_GUESTS = 8192
const MAX_MDEVS = 64
const MAX_PCI_DEVICES = 256

/** Facts of XML files that have not changed since an earlier scan of the same process. */
export type GuestMemory = Map<string, { stamp: FileStamp; facts: GuestFacts }>

type Options = {
  files: HostFiles
  problems: ProblemLog
  /** Folders given by `--guest-xml` instead of the known ones. */
  folders?: readonly string[] | undefined
  memory: GuestMemory
}

const readFacts = (path: string, { files, problems }: Options): GuestFacts | null => {
  const xml = files.text(path, { isExpected: true, limitBytes: XML_LIMIT_BYTES })
  if (xml === null) return null
  try {
    return readGuestXml(xml)
  } catch (err) {
    if (!(err instanceof XmlError)) throw err
    const message = `${path} is not the XML of a libvirt guest: ${err.message}; the guest is missing from this report.`
    problems.add({ source: path, code: err.kind, message })
    return null
  }
}

const rememberedFacts = (path: string, options: Options): GuestFacts | null => {
  const stamp = options.files.stamp(path)
  const held = options.memory.get(path)
  if (stamp !== null && held?.stamp === stamp) return held.facts
  const facts = readFacts(path, options)
  if (stamp !== null && facts !== null) options.memory.set(path, { stamp, facts })
  else options.memory.delete(path)
  return facts
}

type Found = { path: string; facts: GuestFacts }

/** XML files of the folders that exist: those that were read, and how many there are. */
type Listing = { found: Found[]; count: number }

/** Null when no folder exists. */
const findGuests = (folders: readonly string[], options: Options): Listing | null => {
  const listed = folders.flatMap((folder) => {
    const names = options.files.names(folder)
    return names === null
      ? []
      : [names.filter((name) => name.endsWith('.xml')).map((name) => `${folder}/${name}`)]
  })
  if (listed.length === 0) return null
  const paths = listed.flat()
  const found = paths.flatMap((path) => {
    const facts = rememberedFacts(path, options)
    return facts === null ? [] : [{ path, facts }]
  })
  return { found, count: paths.length }
}

/** Every key of either list, with the list that has it, sorted. */
const marked = (
  live: string[],
  persistent: string[],
): { key: string; isLive: boolean; isPersistent: boolean }[] =>
  [...new Set([...live, ...persistent])].sort().map((key) => ({
    key,
    isLive: live.includes(key),
    isPersistent: persistent.includes(key),
  }))

const mergeGuest = (live: Found | undefined, persistent: Found | undefined): Guest[] => {
  const facts = live?.facts ?? persistent?.facts
  if (facts === undefined) return []
  const mdevs = marked(live?.facts.mdevUuids ?? [], persistent?.facts.mdevUuids ?? [])
  const devices = marked(live?.facts.pciAddresses ?? [], persistent?.facts.pciAddresses ?? [])
  return [
    {
      uuid: facts.uuid,
      name: facts.name,
      state: facts.state,
      livePath: live?.path ?? null,
      persistentPath: persistent?.path ?? null,
      nova: facts.nova ?? persistent?.facts.nova ?? null,
      mdevs: mdevs.slice(0, MAX_MDEVS).map(({ key, ...where }) => ({ uuid: key, ...where })),
      pciDevices: devices.slice(0, MAX_PCI_DEVICES).map(({ key, ...where }) => ({ address: key, ...where })),
      ...(facts.numa === null ? {} : { numa: facts.numa }),
    },
  ]
}

const byUuid = (found: Found[]): Map<string, Found> => {
  const guests = new Map<string, Found>()
  for (const one of found) if (!guests.has(one.facts.uuid)) guests.set(one.facts.uuid, one)
  return guests
}

const noFolder = (folders: readonly string[], what: string): Problem => ({
  source: folders.join(', '),
  code: 'incomplete',
  message: `No folder with the XML of ${what} was found; name it with --guest-xml.`,
})

/** Files of all folders; null when libvirt's folders are not there. */
const findInFolders = (options: Options): Listing | null => {
  const { folders, problems } = options
  if (folders !== undefined) {
    const found = findGuests(folders, options)
    if (found === null) problems.add(noFolder(folders, 'libvirt guests'))
    return found
  }
  const live = findGuests(LIVE_FOLDERS, options)
  const persistent = findGuests(PERSISTENT_FOLDERS, options)
  if (live === null && persistent === null) {
    problems.add(noFolder([...LIVE_FOLDERS, ...PERSISTENT_FOLDERS], 'libvirt guests'))
    return null
  }
  // Live XML alone would make the vGPUs of shut-off guests look unused.
  if (persistent === null) problems.add(noFolder(PERSISTENT_FOLDERS, 'shut-off guests'))
  return {
    found: [...(live?.found ?? []), ...(persistent?.found ?? [])],
    count: (live?.count ?? 0) + (persistent?.count ?? 0),
  }
}

/** Guests of libvirt, live and persistent XML merged by uuid; null when no folder or none of its files could be read. */
export const collectGuests = (options: Options): Guest[] | null => {
  const listing = findInFolders(options)
  const found = listing?.found ?? []
  const paths = new Set(found.map(({ path }) => path))
  for (const path of options.memory.keys()) if (!paths.has(path)) options.memory.delete(path)
  // "Could not read any" must not look like "has none".
  if (listing === null || (found.length === 0 && listing.count > 0)) return null
  const live = byUuid(found.filter(({ facts }) => facts.isLive))
  const persistent = byUuid(found.filter(({ facts }) => !facts.isLive))
  const uuids = [...new Set([...live.keys(), ...persistent.keys()])].sort()
  if (uuids.length > MAX_GUESTS)
    options.problems.add({
      source: 'guests',
      code: 'too-large',
      message: `The host has ${uuids.length} guests; a report holds the first ${MAX_GUESTS}.`,
    })
  return uuids.slice(0, MAX_GUESTS).flatMap((uuid) => mergeGuest(live.get(uuid), persistent.get(uuid)))
}
