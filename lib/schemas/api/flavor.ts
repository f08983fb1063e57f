import * as z from 'zod/mini'
import { FIT_REASONS, type FLAVOR_LIST } from '../choices'
import { trackedFindingSchema } from './finding'
import { findingLinkSchema, fitReportSchema } from './fit'
import { pageShape } from './page'

const reachedType = z.object({ typeId: z.string(), name: z.string() })

const namedProject = z.object({ id: z.string(), name: z.string() })

export type FlavorSort = (typeof FLAVOR_LIST.sorts)[number]
export type FlavorState = (typeof FLAVOR_LIST.states)[number]

const flavorSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  isPublic: z.boolean(),
  isDisabled: z.boolean(),
  /** In plain words: `1 vGPU of T4-4C, 8 vCPUs, 32 GiB`. */
  asks: z.string(),
  types: z.array(reachedType),
  /** Projects of a private one; null: it is public, or Nova has not reported them (`isPublic`). */
  projects: z.nullable(z.array(namedProject)),
  /** Made from it, on hosts with GPUs; null: not known. */
  servers: z.nullable(z.int()),
  /** Of hosts that are not known the sums have what surely fits. */
  fits: z.int(),
  byPlacement: z.int(),
  atOnce: z.int(),
  fittingHosts: z.int(),
  unknownHosts: z.int(),
  isExact: z.boolean(),
  /** Hosts that could take one if they were empty; null: unknown for some host. */
  possibleHosts: z.nullable(z.int()),
  /** Where none fits: the host that is nearest to it, and what is in its way; `host` null: it lies with the flavor. */
  nearest: z.nullable(
    z.object({ host: z.nullable(z.string()), kind: z.enum(FIT_REASONS), because: z.string() }),
  ),
  findings: z.array(findingLinkSchema),
})
export type FlavorSummary = z.infer<typeof flavorSummarySchema>

export const flavorListSchema = z.object({
  cloud: z.string(),
  /** False: no reading round has ended yet. */
  isRead: z.boolean(),
  /** When Nova's flavors were read last; null: never. */
  readAt: z.nullable(z.string()),
  /** Why the last reading is too old to count by; null: it is not. The numbers are then what they were. */
  gap: z.nullable(z.string()),
  /** One page of the flavors that request a GPU and match; null: none could be read, and `because` has the reason. */
  flavors: z.nullable(z.array(flavorSummarySchema)),
  because: z.nullable(z.string()),
  /** Of all flavors that request a GPU. */
  counts: z.object({ all: z.int(), full: z.int(), findings: z.int() }),
  ...pageShape,
  withoutGpu: z.int(),
})
export type FlavorList = z.infer<typeof flavorListSchema>

export const flavorFitSchema = z.object({
  cloud: z.string(),
  flavor: z.object({
    id: z.string(),
    name: z.string(),
    description: z.nullable(z.string()),
    isPublic: z.boolean(),
    isDisabled: z.boolean(),
    vcpus: z.int(),
    memoryMib: z.int(),
    diskGib: z.int(),
    extraSpecs: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  asks: z.string(),
  types: z.array(reachedType),
  /** Projects of a private one; null: it is public, or Nova has not reported them. */
  projects: z.nullable(z.array(namedProject)),
  /** Created from it, on hosts with GPUs, each with a copy of the flavor; null: unknown. */
  servers: z.nullable(
    z.array(
      z.object({
        uuid: z.string(),
        name: z.string(),
        status: z.string(),
        host: z.nullable(z.string()),
        projectName: z.string(),
        /** The copy is equal to the current flavor. */
        isCopyCurrent: z.boolean(),
      }),
    ),
  ),
  /** Availability zones of Nova's services, and the requested one. */
  zones: z.array(z.string()),
  zone: z.nullable(z.string()),
  findings: z.array(trackedFindingSchema),
  fit: fitReportSchema,
})
export type FlavorFit = z.infer<typeof flavorFitSchema>

export const typeFitSchema = z.object({
  cloud: z.string(),
  typeId: z.string(),
  /** As the drivers word it; null: no host names it. */
  name: z.nullable(z.string()),
  /** Models whose cards offer the type. */
  models: z.array(z.string()),
  /** Flavors that reach the type. */
  flavors: z.array(z.object({ id: z.string(), name: z.string() })),
  fit: fitReportSchema,
})
export type TypeFit = z.infer<typeof typeFitSchema>
