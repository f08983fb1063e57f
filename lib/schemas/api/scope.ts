import * as z from 'zod'
import { canonicalAddress } from '@/lib/util/canonical-address'
import { hostNameSchema } from '../agent/primitives'
import {
  FINDING_SOURCES,
  FINDING_STATES,
  FIT_GROUPS,
  FLAVOR_LIST,
  GPU_SERVER_LIST,
  HEADROOM_STATES,
  REQUEST_GROUPS,
  STEP_PHASES,
} from '../choices'
import { SEVERITIES } from '../severity'
import { SUBJECT_KINDS } from '../subject-kinds'
import { listQueryShape, pageQueryShape } from './page-inputs'

/** `?cloud=` of pages and routes. Absent or empty means the first cloud by name, here null. */
export const cloudScopeSchema = z.object({
  cloud: z
    .string()
    .max(128)
    .nullish()
    .transform((name) => name || null),
})
export type CloudScope = z.input<typeof cloudScopeSchema>

/** The scope of a page from its search params; of a repeated parameter the first counts, as in the browser. */
export const pageScope = ({
  cloud,
}: {
  cloud?: string | string[] | undefined
}): { cloud: string | null } => ({
  cloud: [cloud].flat()[0] || null,
})

const hostShape = { host: z.string().trim().max(253).pipe(hostNameSchema) }
const addressShape = {
  /** PCI address, or the sysfs name of a virtual parent. */
  address: z.string().trim().min(1).max(64).transform(canonicalAddress),
}

/** `{host}` and `{address}` in paths. */
export const hostParamsSchema = z.object(hostShape)
export const gpuParamsSchema = z.object({ ...hostShape, ...addressShape })

export const hostScopeSchema = cloudScopeSchema.extend(hostShape)
export type HostScope = z.input<typeof hostScopeSchema>
export const gpuScopeSchema = cloudScopeSchema.extend({ ...hostShape, ...addressShape })
export type GpuScope = z.input<typeof gpuScopeSchema>

/**
 * `?host=` lists one host with all its flavors; else `?q=` narrows to host names with that text and `?state=` to a state.
 * `?on=host:NAME` or `?on=aggregate:NAME` selects the hosts of the calculator.
 */
export const gpuHeadroomScopeSchema = cloudScopeSchema.extend({
  host: z.string().trim().max(253).pipe(hostNameSchema).nullish(),
  q: z.string().max(200).nullish(),
  state: z.enum(HEADROOM_STATES).nullish(),
  on: z.string().max(300).nullish(),
  ...pageQueryShape,
})
export type GpuHeadroomScope = z.input<typeof gpuHeadroomScopeSchema>

/** `?type=` names the vGPU type; absent means the one that most hosts carry. */
export const migrationScopeSchema = cloudScopeSchema.extend({
  type: z
    .string()
    .max(128)
    .nullish()
    .transform((typeId) => typeId || null),
})
export type MigrationScope = z.input<typeof migrationScopeSchema>

/** `a,b`: each one of `known`. */
const listOf = (known: readonly string[], what: string) =>
  z
    .string()
    .max(2000)
    .refine((text) => text === '' || text.split(',').every((value) => known.includes(value)), {
      error: `must list ${what}, of ${known.join(', ')}`,
    })
    .optional()

/**
 * Each of these narrows, with commas between several values: `?host=` to subjects on hosts, `?about=cloud,limit` to kinds of
 * subjects, `?q=` to findings with every word. `?sort=kind` lists the first findings of every kind.
 */
export const findingScopeSchema = cloudScopeSchema.extend({
  host: z.string().trim().toLowerCase().max(20_000).optional(),
  about: listOf(SUBJECT_KINDS, 'kinds of subjects'),
  q: z.string().max(200).optional(),
  severity: listOf(SEVERITIES, 'severities'),
  state: listOf(FINDING_STATES, 'states'),
  code: z.string().max(20_000).optional(),
  sourceToCorrect: listOf(FINDING_SOURCES, 'sources'),
  sort: z.enum(['urgency', 'kind']).optional(),
  ...pageQueryShape,
})
export type FindingScope = z.input<typeof findingScopeSchema>

/** One page of a cloud's changes. */
export const changeScopeSchema = cloudScopeSchema.extend(pageQueryShape)
export type ChangeScope = z.input<typeof changeScopeSchema>

/**
 * One page of the steps of a change: `?host=` lists those on this host; empty: those on no host; absent: all. `?phase=` narrows to
 * a phase.
 */
export const changeStepScopeSchema = z.object({
  host: z.string().max(255).optional(),
  phase: z.enum(STEP_PHASES).optional(),
  ...pageQueryShape,
})
export type ChangeStepScope = z.input<typeof changeStepScopeSchema>

/** One page of a cloud's GPU flavors: `?q=` narrows to flavors with every word, `?state=` to a state. */
export const flavorListScopeSchema = cloudScopeSchema.extend(listQueryShape(FLAVOR_LIST))
export type FlavorListScope = z.input<typeof flavorListScopeSchema>

/** One page of a cloud's servers with a GPU. */
export const gpuServerListScopeSchema = cloudScopeSchema.extend(listQueryShape(GPU_SERVER_LIST))
export type GpuServerListScope = z.input<typeof gpuServerListScopeSchema>

/** One page of a cloud's quota requests: `?q=` narrows to requests with every word, `?group=` to a group. */
export const requestListScopeSchema = cloudScopeSchema.extend({
  q: z.string().max(200).nullish(),
  group: z.enum(REQUEST_GROUPS).nullish(),
  ...pageQueryShape,
})
export type RequestListScope = z.input<typeof requestListScopeSchema>

/** The number of servers in one request. */
const countShape = {
  count: z.coerce
    .number('must be a whole number')
    .int()
    .min(1)
    .max(10_000)
    .nullish()
    .transform((count) => count ?? null),
}

/** Of the hosts: `?q=` narrows to hosts with every word, `?group=` to a group. */
const hostPageShape = {
  q: z.string().max(200).nullish(),
  group: z.enum(FIT_GROUPS).nullish(),
  ...pageQueryShape,
}

/** `?count=` and `?zone=` of a flavor, `?count=` of a vGPU type. */
export const typeFitQuerySchema = cloudScopeSchema.extend({ ...countShape, ...hostPageShape })
export const flavorFitQuerySchema = typeFitQuerySchema.extend({
  zone: z
    .string()
    .max(255)
    .nullish()
    .transform((zone) => zone || null),
})

/** `{flavor}` in paths is Nova's id of it, `{type}` a vGPU type's (`nvidia-222`). */
export const flavorParamsSchema = z.object({ flavor: z.string().min(1).max(255) })
export const typeParamsSchema = z.object({ type: z.string().trim().min(1).max(128) })

export const flavorScopeSchema = flavorFitQuerySchema.extend(flavorParamsSchema.shape)
export type FlavorScope = z.input<typeof flavorScopeSchema>
export const typeScopeSchema = typeFitQuerySchema.extend(typeParamsSchema.shape)
export type TypeScope = z.input<typeof typeScopeSchema>

/** `?user=`: Nova's user in Keystone, `?domain=`: the id of its domain where several have one of that name; `?flavor=`: the id of a flavor that projects are to be tried with. `?q=` narrows to projects with every word. */
export const limitSetUpScopeSchema = cloudScopeSchema.extend({
  user: z
    .string()
    .trim()
    .max(255)
    .nullish()
    .transform((name) => name || 'nova'),
  domain: z
    .string()
    .trim()
    .max(64)
    .nullish()
    .transform((id) => id || null),
  flavor: z
    .string()
    .max(255)
    .nullish()
    .transform((id) => id || null),
  q: z.string().max(200).nullish(),
  ...pageQueryShape,
})
export type LimitSetUpScope = z.input<typeof limitSetUpScopeSchema>
