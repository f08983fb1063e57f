import {
  attributeOf,
  attributesOf,
  childNamed,
  childrenNamed,
  localName,
  readXml,
  type Wanted,
  type XmlElement,
} from '@/agent/xml/read-xml'
import { XmlError } from '@/agent/xml/xml-error'
import type { Guest, NovaMetadata } from '@/lib/schemas/agent/inventory'
import { fact } from './clean-text'
import { countFrom, isUuid, pciAddressFrom } from './identifiers'

/** What one XML file contains about its guest; only these facts leave this module, never the XML. */
export type GuestFacts = {
  /** Live: libvirt's `<domstatus>` in /run. Persistent: a bare `<domain>`. */
  isLive: boolean
  uuid: string
  name: string
  state: Guest['state']
  nova: NovaMetadata | null
  mdevUuids: string[]
  pciAddresses: string[]
  /** Null: it is bound to no NUMA node. */
  numa: NonNullable<Guest['numa']> | null
}

/** nova/virt/libvirt/config.py NOVA_NS: 1.1 since 2020.2, 1.0 before. */
const NOVA_NAMESPACE = /^http:\/\/openstack\.org\/xmlns\/libvirt\/nova\/1\.[01]$/

/** libvirt's virDomainState names (src/conf/domain_conf.c); every other state is `other`. */
const STATES: Record<string, Guest['state']> = {
  running: 'running',
  blocked: 'running',
  paused: 'paused',
  shutoff: 'shutoff',
  crashed: 'crashed',
  pmsuspended: 'suspended',
}

const stateOf = (status: XmlElement | null): Guest['state'] => {
  if (status === null) return 'shutoff'
  const state = attributeOf(status, 'state') ?? ''
  return Object.hasOwn(STATES, state) ? (STATES[state] ?? 'other') : 'other'
}

/** Prefixes declared on the way from the root to an element, the innermost last. */
type Namespaces = Map<string, string>

const withDeclared = (outer: Namespaces, element: XmlElement): Namespaces => {
  if (!element.attributes.includes('xmlns')) return outer
  const inner = new Map(outer)
  for (const [name, value] of attributesOf(element)) {
    if (name === 'xmlns') inner.set('', value)
    else if (name.startsWith('xmlns:')) inner.set(name.slice(6), value)
  }
  return inner
}

const namespaceOf = (element: XmlElement, namespaces: Namespaces): string => {
  const colon = element.name.indexOf(':')
  return namespaces.get(colon < 0 ? '' : element.name.slice(0, colon)) ?? ''
}

/** `<nova:instance>`, with any prefix. */
const novaInstance = (ancestors: XmlElement[], metadata: XmlElement): XmlElement | undefined => {
  const namespaces = ancestors.reduce(withDeclared, new Map<string, string>())
  return metadata.children.find(
    (child) =>
      localName(child) === 'instance' &&
      NOVA_NAMESPACE.test(namespaceOf(child, withDeclared(namespaces, child))),
  )
}

/** A child in the namespace of its parent: same prefix, and no namespace declaration. */
const novaChild = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  if (parent === undefined) return undefined
  const wanted = parent.name.slice(0, parent.name.length - localName(parent).length) + name
  return parent.children.find((child) => child.name === wanted && !child.attributes.includes('xmlns'))
}

const novaMetadata = (ancestors: XmlElement[], domain: XmlElement): NovaMetadata | null => {
  const metadata = childNamed(domain, 'metadata')
  if (metadata === undefined) return null
  const instance = novaInstance([...ancestors, domain, metadata], metadata)
  if (instance === undefined) return null
  const owner = novaChild(instance, 'owner')
  const user = novaChild(owner, 'user')
  const project = novaChild(owner, 'project')
  return {
    serverName: fact(novaChild(instance, 'name')?.text),
    flavorName: fact(attributeOf(novaChild(instance, 'flavor'), 'name')),
    projectId: fact(attributeOf(project, 'uuid')),
    projectName: fact(project?.text),
    userId: fact(attributeOf(user, 'uuid')),
    userName: fact(user?.text),
  }
}

const sourceAddresses = (domain: XmlElement, type: string): XmlElement[] =>
  childrenNamed(childNamed(domain, 'devices'), 'hostdev')
    .filter((hostdev) => attributeOf(hostdev, 'type') === type)
    .flatMap((hostdev) => childrenNamed(childNamed(hostdev, 'source'), 'address'))

const mdevUuid = (address: XmlElement): string[] => {
  const uuid = attributeOf(address, 'uuid')?.toLowerCase() ?? ''
  return isUuid(uuid) ? [uuid] : []
}

const pciAddress = (element: XmlElement): string[] => {
  const parts = attributesOf(element)
  const address = pciAddressFrom({
    domain: parts.get('domain') ?? '0',
    bus: parts.get('bus') ?? '',
    slot: parts.get('slot') ?? '',
    function: parts.get('function') ?? '0',
  })
  return address === null ? [] : [address]
}

const LONGEST_SET = 1024
const MAX_CELLS = 256

/** Cells of the guest with the host's node that each is bound to; one that may float over several nodes is left out. */
const cellMemory = (domain: XmlElement): { node: number; memoryMib: number }[] => {
  const nodeOf = new Map(
    childrenNamed(childNamed(domain, 'numatune'), 'memnode').map((memnode) => [
      attributeOf(memnode, 'cellid'),
      countFrom(attributeOf(memnode, 'nodeset') ?? null),
    ]),
  )
  const cells = childrenNamed(childNamed(childNamed(domain, 'cpu') ?? domain, 'numa'), 'cell')
  const byNode = new Map<number, number>()
  for (const cell of cells.slice(0, MAX_CELLS)) {
    const node = nodeOf.get(attributeOf(cell, 'id')) ?? null
    // Nova writes KiB, which is libvirt's default too.
    const kib = /^\d{1,14}$/.exec(attributeOf(cell, 'memory') ?? '')?.[0]
    if (node !== null && kib !== undefined)
      byNode.set(node, (byNode.get(node) ?? 0) + Math.floor(Number(kib) / 1024))
  }
  return [...byNode].toSorted(([a], [b]) => a - b).map(([node, memoryMib]) => ({ node, memoryMib }))
}

const numaOf = (domain: XmlElement): GuestFacts['numa'] => {
  const sets = childrenNamed(childNamed(domain, 'cputune'), 'vcpupin').flatMap(
    (pin) => attributeOf(pin, 'cpuset') ?? [],
  )
  const cpus = [...new Set(sets.filter((set) => /^[\d,^-]+$/.test(set)))]
    .sort()
    .join(',')
    .slice(0, LONGEST_SET)
  const memory = cellMemory(domain)
  return cpus === '' && memory.length === 0 ? null : { cpus, memory }
}

/** Parts of a guest's XML that are kept, by the element around them; below metadata and hostdev everything is. */
const PARTS: Record<string, readonly string[]> = {
  domstatus: ['domain'],
  domain: ['name', 'uuid', 'metadata', 'devices', 'cputune', 'numatune', 'cpu'],
  cputune: ['vcpupin'],
  numatune: ['memnode'],
  cpu: ['numa'],
  devices: ['hostdev'],
}

const isWanted: Wanted = (name, parent) => {
  const parts = Object.hasOwn(PARTS, parent.name) ? PARTS[parent.name] : undefined
  return parts === undefined || parts.includes(name)
}

/** Reads the XML of one guest; throws `XmlError` with what is wrong with it. */
export const readGuestXml = (xml: string): GuestFacts => {
  const root = readXml(xml, isWanted)
  const status = root.name === 'domstatus' ? root : null
  const domain = status === null ? root : childNamed(status, 'domain')
  if (domain?.name !== 'domain') throw new XmlError('malformed', 'it holds no <domain>')
  const uuid = childNamed(domain, 'uuid')?.text.trim().toLowerCase() ?? ''
  if (!isUuid(uuid)) throw new XmlError('malformed', 'its <uuid> is not a uuid')
  const name = fact(childNamed(domain, 'name')?.text, 255)
  if (name === null) throw new XmlError('malformed', 'its <name> is empty')
  return {
    isLive: status !== null,
    uuid,
    name,
    state: stateOf(status),
    nova: novaMetadata(status === null ? [] : [status], domain),
    mdevUuids: sourceAddresses(domain, 'mdev').flatMap(mdevUuid),
    pciAddresses: sourceAddresses(domain, 'pci').flatMap(pciAddress),
    numa: numaOf(domain),
  }
}
