import * as z from 'zod'
import { pciLayoutSchema } from '@/lib/domain/cloud/pci-layout'
import type { Step } from '../step'
import { hostLayoutSchema } from './host-layout'

const host = z.string()
const address = z.string()
const texts = z.array(z.string()).readonly()

/** A device with its provider, by name: Nova re-creates providers under other uuids. */
const namedProviderSchema = z.object({ address, name: z.string() })
const namedProviders = z.array(namedProviderSchema).readonly()

/** One mdev that is to be removed, as the plan found it. */
const removeMdevTaskSchema = z.object({
  kind: z.literal('remove-mdev'),
  host,
  /** The host's name in Nova. */
  service: z.string(),
  pgpuAddress: z.string(),
  uuid: z.string(),
  parent: z.string(),
  typeId: z.string(),
  typeName: z.string(),
  isActive: z.boolean(),
  /** Start of its definition; null: it had none. */
  start: z.enum(['auto', 'manual']).nullable(),
  /** Of the parent, whether Placement has it or not. */
  providerName: z.string(),
  /** A roll back does not recreate it: Nova creates what a server needs. */
  isForGood: z.boolean().exactOptional(),
  /** Where it is defined, if not in mdevctl's folder of the host: libvirt in a container has its own. */
  definedAt: z.string().exactOptional(),
})
export type RemoveMdevTask = z.infer<typeof removeMdevTaskSchema>

/** What is expected of a card that is passed through whole. */
const verifyWholeTaskSchema = z.object({
  kind: z.literal('verify-whole'),
  host,
  address,
  /** Aliases of the host that take it. */
  aliases: texts,
  /** What Placement is to have; null: Nova does not report PCI devices there. */
  provider: namedProviderSchema.extend({ resourceClass: z.string() }).nullable(),
})
export type VerifyWholeTask = z.infer<typeof verifyWholeTaskSchema>

/** What a card is once its change is done. */
export const cardTaskSchema = z.discriminatedUnion('kind', [
  verifyWholeTaskSchema,
  z.object({ kind: z.literal('verify-sliced'), host, address, driver: z.string() }),
])
export type CardTask = z.infer<typeof cardTaskSchema>

/** A server that leaves its host and does not come back. */
const movedServerSchema = z.object({ uuid: z.string(), name: z.string() })
export type MovedServer = z.infer<typeof movedServerSchema>

/** How a server leaves: `owner`: only its owner or an admin manually. */
const wayOutSchema = z.enum(['live', 'cold', 'owner'])
export type WayOut = z.infer<typeof wayOutSchema>

/** What is expected of a pGPU once nova-compute has read its new type. */
const verifyTaskSchema = z.object({
  kind: z.literal('verify-pgpu'),
  host,
  address,
  typeId: z.string(),
  typeName: z.string(),
  resourceClass: z.string(),
  /** Sum of the vGPUs of the type that Placement has to offer. */
  total: z.number(),
  /** Name of the compute node in Placement, under which the providers are found. */
  rootName: z.string(),
  /** Providers that may carry it. */
  providers: namedProviders,
  /** Vendor VFIO: the VFs that carry the type, and whether Placement has them. */
  vfio: z.object({ functions: texts, isInPlacement: z.boolean() }).exactOptional(),
})
export type VerifyTask = z.infer<typeof verifyTaskSchema>

/** A server that is created to test whether one boots. By its name and metadata it is found again after a crash. */
const testServerSchema = z.object({
  name: z.string(),
  flavorId: z.string(),
  flavorName: z.string(),
  imageId: z.string(),
  networks: z.enum(['none', 'auto']),
  /** Time of the plan, ISO 8601 UTC; written into its metadata. */
  plannedAt: z.string(),
})
export type TestServer = z.infer<typeof testServerSchema>

/** When nova-compute was started, as the plan found it; null: its agent does not report it. */
const startedAt = z.string().nullable()

/** In the drop-in folder, where the host's agent writes it. */
const file = z.string()

const verifies = z.array(verifyTaskSchema).readonly()
const cards = z.array(cardTaskSchema).readonly()
const moves = z.array(movedServerSchema).readonly()

/** Tasks on hosts, their providers and their nova-compute. */
export const hostTaskSchema = z.discriminatedUnion('kind', [
  removeMdevTaskSchema,
  z.object({
    kind: z.literal('close-service'),
    host,
    service: z.string(),
    reason: z.string(),
    /** What holds once scheduling is enabled again. In a manual change, a host that is enabled then was disabled in between. */
    verify: verifies.exactOptional(),
    /** The same of whole cards. */
    cards: cards.exactOptional(),
    /** It is disabled only so that these servers leave. */
    moves: moves.exactOptional(),
  }),
  z.object({
    kind: z.literal('drain-server'),
    host,
    service: z.string(),
    serverUuid: z.string(),
    serverName: z.string(),
    owner: z.string(),
    /** Of its vGPU; empty: it has none and leaves so that others fit. */
    typeName: z.string(),
    way: wayOutSchema,
    /** Migrations that failed before the plan don't count. ISO 8601 UTC. */
    plannedAt: z.string(),
  }),
  z.object({ kind: z.literal('await-empty'), host, addresses: texts, providers: namedProviders }),
  z.object({
    kind: z.literal('await-offer'),
    host,
    addresses: texts,
    typeId: z.string(),
    typeName: z.string(),
  }),
  z.object({
    kind: z.literal('move-traits'),
    host,
    provider: namedProviderSchema,
    /** `off`: before the type changes; its undo adds the traits again. `on`: after it. */
    direction: z.enum(['off', 'on']),
    /** Traits that name the type. */
    traits: texts,
    /** Custom traits of others, which are lost when Nova re-creates the provider. */
    foreign: texts,
  }),
  z.object({
    kind: z.literal('write-config'),
    host,
    before: hostLayoutSchema,
    after: hostLayoutSchema,
    file,
    startedAt,
  }),
  z.object({
    kind: z.literal('set-vfio-type'),
    host,
    pgpuAddress: z.string(),
    /** Of the VF. */
    address,
    /** Decimal ids as in `current_vgpu_type`; 0 is none. */
    from: z.number(),
    to: z.number(),
    fromName: z.string(),
    toName: z.string(),
  }),
  z.object({
    kind: z.literal('write-pci-config'),
    host,
    before: pciLayoutSchema,
    after: pciLayoutSchema,
    /** Content of the console's own file; as text, because jsonb keeps no order of keys. Null: there is none. */
    ownBefore: z.string().nullable(),
    ownAfter: z.string().nullable(),
    file,
    startedAt,
  }),
  z.object({
    kind: z.literal('restart-nova'),
    host,
    service: z.string(),
    /** `back`: nothing to do on the way there; the restart that a roll back needs once nova.conf is as before. */
    direction: z.enum(['on', 'back']),
    startedAt,
    /** What Placement shows when nova-compute has read its configuration. */
    evidence: verifies,
    /** The totals or classes differ from those of the other type, so that Placement alone proves it. */
    isTelling: z.boolean(),
  }),
  verifyTaskSchema,
  z.object({
    kind: z.literal('clear-spares'),
    host,
    /** pGPUs. */
    addresses: texts,
    providers: namedProviders,
    typeName: z.string(),
  }),
  z.object({
    kind: z.literal('test-boot'),
    host,
    service: z.string(),
    /** Why scheduling was disabled, and is again when the test fails. */
    reason: z.string(),
    test: testServerSchema,
    /** pGPUs of the change. */
    addresses: texts,
    typeId: z.string(),
    typeName: z.string(),
  }),
  z.object({ kind: z.literal('delete-test'), host, test: testServerSchema }),
  z.object({ kind: z.literal('remove-stale-provider'), host, provider: namedProviderSchema }),
  z.object({
    kind: z.literal('open-service'),
    host,
    service: z.string(),
    reason: z.string(),
    verify: verifies,
    cards: cards.exactOptional(),
    /** These servers have left. */
    moves: moves.exactOptional(),
  }),
])
export type HostTask = z.infer<typeof hostTaskSchema>

export type HostStep = Step<HostTask>
