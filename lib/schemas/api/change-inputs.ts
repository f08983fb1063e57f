import * as z from 'zod'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { GRAMMARS } from '../agent/grammar'
import { HOST_NAME_PATTERN, HOST_NAME_RULE } from '../agent/host-name'
import {
  MAX_CHANGE_FLAVORS,
  MAX_CHANGE_HOSTS,
  MAX_DISK_GIB,
  MAX_EXTRA_SPECS,
  MAX_MEMORY_MIB,
  SPEC_KEY_PATTERN,
  TRAIT_PATTERN,
  TRAIT_RULE_PATTERN,
} from './change-limits'
import { gpuFilterSchema } from './gpu-filter'
import { MAX_CHANGE_GPUS } from './gpu-limits'
import { planLimitsSchema } from './limit-change-input'
import { momentSchema } from './moment'

const RULE_TEXT =
  'must begin with CUSTOM_, hold {type} or {id}, and else have capitals, digits, underscores or {vendor} only'

const gpuSchema = z.strictObject({
  host: z.string().trim().toLowerCase().max(253).regex(HOST_NAME_PATTERN, HOST_NAME_RULE),
  address: z.string().trim().min(1).max(64).transform(canonicalAddress),
})

const gpusSchema = z.array(gpuSchema).min(1, 'must name at least one pGPU').max(MAX_CHANGE_GPUS)

/** GPUs that the list shows with this filter. */
const filteredSchema = z.strictObject({ filter: gpuFilterSchema })

const planTraitsSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('traits'),
  /** Chosen pGPUs; those of a filter; or all of one vGPU type, by its short name or id. */
  gpus: z.union([gpusSchema, filteredSchema, z.strictObject({ type: z.string().min(1).max(128) })]),
  /** Names the trait of each type; `auto`: as the cloud names them already; null: the traits that the providers lost are added again. */
  rule: z.union([z.literal('auto'), z.string().max(100).regex(TRAIT_RULE_PATTERN, RULE_TEXT)]).nullable(),
  /** The console's service account restores them whenever Nova recreates a provider. */
  isManaged: z.boolean().default(false),
  /** nova-compute's own file that keeps traits: `write`: it gets every pGPU of the hosts; `remove`: it loses the chosen ones. */
  providerConfig: z.enum(['leave', 'write', 'remove']).default('leave'),
})

const planTypeChangeSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('type'),
  /** Chosen pGPUs; those of a filter; all of a host; or all of the hosts of an aggregate, by its name. */
  gpus: z.union([
    gpusSchema,
    filteredSchema,
    z.strictObject({ host: gpuSchema.shape.host }),
    z.strictObject({ aggregate: z.string().min(1).max(255) }),
  ]),
  /** `nvidia-320`, as the driver calls it. */
  typeId: z.string().regex(GRAMMARS.vgpuTypeId.pattern, GRAMMARS.vgpuTypeId.rule),
  /** For a type that a host does not have yet; null: VGPU. */
  resourceClass: z.string().regex(GRAMMARS.customTrait.pattern, GRAMMARS.customTrait.rule).nullable(),
  /** Flavors may lose their last host. */
  isFlavorLossAccepted: z.boolean(),
  /** A server that is booted on each host at the end, and deleted again. */
  testBoot: z
    .strictObject({
      flavorId: z.string().min(1).max(255),
      imageId: z.uuid('must be the id of an image'),
      networks: z.enum(['none', 'auto']),
    })
    .nullish(),
})

const planPassthroughSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('passthrough'),
  /** Chosen pGPUs, or those of a filter. */
  gpus: z.union([gpusSchema, filteredSchema]),
  /** `whole`: to one server as it is; `sliced`: back to the driver that slices it. */
  to: z.enum(['whole', 'sliced']),
  /** The alias for flavors; null: an existing one that matches the card, else one derived from the model. */
  alias: z.string().trim().regex(GRAMMARS.alias.pattern, GRAMMARS.alias.rule).nullable(),
  /** Flavors may lose their last host. */
  isFlavorLossAccepted: z.boolean(),
})

const planOrphansSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('orphans'),
  /** Chosen pGPUs; those of a filter; or all of the fleet that have any. */
  gpus: z.union([gpusSchema, filteredSchema, z.literal('all')]),
})

const specKey = z
  .string()
  .regex(SPEC_KEY_PATTERN, 'must have letters, digits, colons, dots, blanks, dashes and underscores only')
const specsSchema = z
  .record(specKey, z.string().max(255))
  .refine((specs) => Object.keys(specs).length <= MAX_EXTRA_SPECS, {
    error: `must have at most ${MAX_EXTRA_SPECS} entries`,
  })

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]+$/u, 'must have no control characters')
const descriptionSchema = z
  .string()
  .trim()
  .max(1000)
  .nullable()
  .transform((text) => (text === '' ? null : text))
const projectIdsSchema = z
  .array(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the id of a project'))
  .max(500)

const aggregateSchema = z.strictObject({
  name: nameSchema,
  /** Names of nova-compute services, as Nova writes them. */
  hosts: z.array(z.string().min(1).max(255)).max(MAX_CHANGE_HOSTS),
  properties: z.record(z.string().min(1).max(255), z.string().max(255)),
})

const newFlavorSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    vcpus: z.int().min(1).max(1024),
    memoryMib: z.int().min(1).max(MAX_MEMORY_MIB),
    diskGib: z.int().min(0).max(MAX_DISK_GIB),
    isPublic: z.boolean(),
    extraSpecs: specsSchema,
    /** Of a private one: the projects that may use it. */
    projectIds: projectIdsSchema,
  })
  .refine(({ isPublic, projectIds }) => !isPublic || projectIds.length === 0, {
    error: 'must be empty for a public flavor, which every project may use',
    path: ['projectIds'],
  })

export const planFlavorSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('flavor'),
  input: z.discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('create'),
      flavor: newFlavorSchema,
      /** Made if it is not there; null: the flavor is tied to none. */
      aggregate: aggregateSchema.nullable(),
    }),
    z.strictObject({
      do: z.literal('change'),
      flavorIds: z
        .array(z.string().min(1).max(255))
        .min(1, 'must name at least one flavor')
        .max(MAX_CHANGE_FLAVORS),
      /** To be required of each GPU that they ask for, with the suffix of its resource. */
      trait: z.string().regex(TRAIT_PATTERN, 'must have capitals, digits and underscores only').nullable(),
      set: specsSchema,
      unset: z.array(specKey).max(MAX_EXTRA_SPECS),
      /** Missing: it stays. */
      description: descriptionSchema.optional(),
      grant: projectIdsSchema,
      revoke: projectIdsSchema,
      /** That the flavors are tied to from now on, made if it is not there; null or missing: what ties them stays. */
      aggregate: aggregateSchema.nullable().optional(),
    }),
  ]),
  /** Flavors may be of a kind that no host could take, even empty. */
  isNoMatchAccepted: z.boolean(),
})

const cpuSetSchema = z
  .string()
  .trim()
  .max(1000)
  .regex(/^[0-9,^\- ]*$/, 'must be a list of CPUs such as 0-11,24-35')

const hostField = gpuSchema.shape.host
const flavorIdsSchema = z.array(z.string().min(1).max(255)).max(MAX_CHANGE_FLAVORS)

const planReservationSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  kind: z.literal('fence'),
  input: z.discriminatedUnion('way', [
    z.strictObject({
      way: z.literal('cpus'),
      host: hostField,
      sharedSet: cpuSetSchema,
      dedicatedSet: cpuSetSchema,
      /** Unit: MiB; null: it stays. */
      reservedMemoryMib: z.int().min(0).max(MAX_MEMORY_MIB).nullable(),
      /** GPU flavors that are to ask for dedicated CPUs. */
      flavorIds: flavorIdsSchema,
      /** Ordinary servers are migrated until there is capacity for one GPU server. */
      isMoving: z.boolean(),
    }),
    z.strictObject({
      /** `isolated`: GPU flavors require the trait; `forbidden`: ordinary flavors forbid it. */
      way: z.enum(['isolated', 'forbidden']),
      hosts: z.array(hostField).min(1, 'must name at least one host').max(MAX_CHANGE_HOSTS),
      aggregate: nameSchema,
      trait: z.string().regex(GRAMMARS.customTrait.pattern, GRAMMARS.customTrait.rule),
      /** GPU flavors that may land there; of `forbidden` none. */
      flavorIds: flavorIdsSchema,
      isMoving: z.boolean(),
    }),
    z.strictObject({
      way: z.literal('second-service'),
      host: hostField,
      /** `[DEFAULT] host` of the second nova-compute. */
      secondHost: hostField,
      sharedSet: cpuSetSchema,
      dedicatedSet: cpuSetSchema,
      /** That the first one leaves to the second; unit: MiB. */
      memoryMib: z.int().min(0).max(MAX_MEMORY_MIB),
    }),
  ]),
})

export const planChangeSchema = z.discriminatedUnion('kind', [
  planTraitsSchema,
  planTypeChangeSchema,
  planPassthroughSchema,
  planOrphansSchema,
  planFlavorSchema,
  planReservationSchema,
  planLimitsSchema,
])
export type PlanChange = z.input<typeof planChangeSchema>
export type PlanTraits = z.input<typeof planTraitsSchema>
export type PlanPassthrough = z.input<typeof planPassthroughSchema>
export type PlanOrphans = z.input<typeof planOrphansSchema>
export type PlanFlavor = z.input<typeof planFlavorSchema>
export type PlanReservation = z.input<typeof planReservationSchema>
export type PlanTypeChange = z.input<typeof planTypeChangeSchema>

const version = z.int().min(1)

export const actOnChangeSchema = z.strictObject({
  action: z.enum(['start', 'stop', 'go-on', 'roll-back', 'drop']),
  /** The version that the person saw. */
  version,
  /** At the start: a person does the steps and the console watches. */
  isByHand: z.boolean().optional(),
})
export type ActOnChange = z.infer<typeof actOnChangeSchema>

/** Longest window, and how far ahead it may begin: the sign-in that runs the change expires at some time. */
const LONGEST_WINDOW_DAYS = 31

const moment = momentSchema('2026-11-21T22:00:00Z')

export const changeTermsSchema = z.strictObject({
  version,
  needsApproval: z.boolean(),
  window: z
    .strictObject({ from: moment, until: moment })
    .refine(({ from, until }) => Date.parse(from) < Date.parse(until), {
      error: 'must end after it begins',
      path: ['until'],
    })
    .refine(({ from, until }) => Date.parse(until) - Date.parse(from) <= LONGEST_WINDOW_DAYS * 86_400_000, {
      error: `must be at most ${LONGEST_WINDOW_DAYS} days long`,
      path: ['until'],
    })
    .nullable(),
  batchHosts: z.int().min(1).max(1000).nullable(),
})
export type ChangeTermsInput = z.infer<typeof changeTermsSchema>

export const approveChangeSchema = z.strictObject({ version })
export type ApproveChange = z.infer<typeof approveChangeSchema>

export const skipStepSchema = z.strictObject({
  version,
  reason: z.string().trim().min(1, 'must say why').max(500),
})
export type SkipStep = z.infer<typeof skipStepSchema>

const rowId = z.coerce.number().int().min(1).max(2_147_483_647)
export const changeParamsSchema = z.object({ id: rowId })
export const changeStepParamsSchema = z.object({
  id: rowId,
  position: z.coerce.number().int().min(0).max(100_000),
})
export const runbookParamsSchema = z.object({ format: z.enum(['md', 'sh']).default('md') })
