import * as z from 'zod/mini'
import type { PlanChange } from './change-inputs'
import { changeFacts } from './change-list'
import { changeProgressSteps, plannedStepSchema, stepSummary } from './change-steps'
import { configTextSchema, deploymentConfigSchema } from './config-text'
import { flavorChangeSchema } from './flavor-change'
import { limitChangeSchema } from './limit-change'
import { reservationSchema } from './reservation'

const target = { host: z.string(), address: z.string() }

const beforeAfter = { before: z.int(), after: z.int() }

/** What a change of the vGPU type means. */
const typeChangeSchema = z.object({
  toTypeId: z.string(),
  toTypeName: z.string(),
  /** vGPUs of a type over the whole cloud. */
  capacities: z.array(z.object({ typeId: z.string(), typeName: z.string(), ...beforeAfter })),
  hosts: z.array(
    z.object({
      host: z.string(),
      deployment: z.string(),
      pgpus: z.array(
        z.object({
          address: z.string(),
          model: z.string(),
          fromTypeId: z.nullable(z.string()),
          fromTypeName: z.nullable(z.string()),
          capacityBefore: z.nullable(z.int()),
          used: z.nullable(z.int()),
          spare: z.nullable(z.int()),
          orphan: z.nullable(z.int()),
          capacityAfter: z.int(),
        }),
      ),
      /** pGPUs that keep their type and take nothing while the host is closed. */
      closedToo: z.array(z.string()),
      isDisabledBefore: z.boolean(),
      /** The mdev options of nova.conf. */
      configBefore: z.string(),
      configAfter: z.string(),
      /** Why the agent, which may write nova.conf, is not to, and what to do. */
      configNote: z.optional(z.nullable(z.string())),
      /** The changes of the options, as text; plans of older consoles have none. */
      configChanges: z.optional(z.array(z.string())),
      traits: z.array(
        z.object({
          name: z.string(),
          off: z.array(z.string()),
          on: z.array(z.string()),
          foreign: z.array(z.string()),
        }),
      ),
    }),
  ),
  /** Servers that hold a vGPU there, and how they leave. */
  servers: z.array(
    z.object({
      host: z.string(),
      address: z.string(),
      serverUuid: z.string(),
      name: z.string(),
      status: z.string(),
      flavorName: z.nullable(z.string()),
      projectName: z.string(),
      way: z.enum(['live', 'cold', 'owner']),
      to: z.array(z.string()),
      because: z.nullable(z.string()),
    }),
  ),
  /** Hosts that a flavor can land on, where that changes. */
  flavors: z.array(z.object({ flavorId: z.string(), name: z.string(), ...beforeAfter })),
  limits: z.array(z.object({ resourceName: z.string(), ...beforeAfter, limit: z.nullable(z.int()) })),
  /** nova.conf as each deployment tool takes it, the likely one first; plans of older consoles have none. */
  configs: z.optional(z.array(deploymentConfigSchema)),
  /** Of all hosts and servers, if the lists have only the first; the stored preview has all. */
  totals: z.optional(
    z.object({
      hosts: z.int(),
      pgpus: z.int(),
      servers: z.object({ live: z.int(), cold: z.int(), owner: z.int() }),
    }),
  ),
})
export type TypeChangePreview = z.infer<typeof typeChangeSchema>

/** The other ways to keep traits: files for nova-compute of each host, and lines for PCI in Placement. */
const traitTextsSchema = z.object({
  files: z.array(
    z.object({
      host: z.string(),
      text: z.nullable(configTextSchema),
      problem: z.nullable(z.string()),
      /** Why the plan has no step that writes it, although it was requested. */
      unwritten: z.optional(z.string()),
    }),
  ),
  deviceSpecs: z.array(
    z.object({
      ...target,
      providers: z.array(z.string()),
      trait: z.string(),
      /** Of nova.conf, as they stand and as they should. */
      lines: z.array(z.object({ source: z.string(), before: z.string(), after: z.string() })),
      notes: z.array(z.string()),
      problem: z.nullable(z.string()),
    }),
  ),
  /** Of all files and lines, if the lists have only the first. */
  totals: z.optional(z.object({ files: z.int(), deviceSpecs: z.int() })),
})
export type TraitTexts = z.infer<typeof traitTextsSchema>
/** How a change names traits, and the traits of each provider before and after. */
const traitNamingSchema = z.object({
  rule: z.string(),
  /** `cloud`: most traits of the cloud follow it. `default`: no trait names a vGPU type yet. `input`: chosen. */
  origin: z.enum(['cloud', 'default', 'input']),
  providers: z.array(
    z.object({
      ...target,
      providerName: z.string(),
      typeName: z.string(),
      current: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  /** Of all providers, if the list has only the first. */
  providerCount: z.optional(z.int()),
})
export type TraitNaming = z.infer<typeof traitNamingSchema>

/** What a plan of any kind has in addition to its steps. */
const previewBase = {
  /** pGPUs that the steps touch. */
  targets: z.array(z.object(target)),
  /** pGPUs that are skipped, and why. */
  refusals: z.array(z.object({ ...target, reason: z.string() })),
  /** pGPUs that are already as wanted. */
  unchanged: z.array(z.object(target)),
  /** pGPUs that a flavor matches, where that changes. */
  flavors: z.array(
    z.object({
      flavorId: z.string(),
      name: z.string(),
      ...beforeAfter,
      /** pGPUs that it matches from then on, and those no more; plans of older consoles name none. */
      gains: z.optional(z.array(z.object(target))),
      loses: z.optional(z.array(z.object(target))),
      /** Of all of them, if the lists have only the first. */
      gainCount: z.optional(z.int()),
      loseCount: z.optional(z.int()),
      /** Of those after, pGPUs where Placement had free capacity for a server at planning; null: it is not known. */
      freeCapacity: z.optional(z.object({ pgpus: z.nullable(z.int()), because: z.nullable(z.string()) })),
    }),
  ),
}

/** Null: the plan refuses or leaves every pGPU. */
const typeChange = z.nullable(typeChangeSchema)

/** What a plan means, by its kind of change. */
export const changePreviewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fence'), ...previewBase, fence: reservationSchema }),
  z.object({ kind: z.literal('flavor'), ...previewBase, flavorChange: flavorChangeSchema }),
  z.object({ kind: z.literal('limits'), ...previewBase, limitChange: limitChangeSchema }),
  z.object({ kind: z.literal('orphans'), ...previewBase }),
  z.object({ kind: z.literal('passthrough'), ...previewBase, typeChange }),
  z.object({
    kind: z.literal('traits'),
    ...previewBase,
    traitTexts: traitTextsSchema,
    /** Null: the plan only adds lost traits again. */
    traitNaming: z.nullable(traitNamingSchema),
  }),
  z.object({ kind: z.literal('type'), ...previewBase, typeChange }),
  /** The stored preview cannot be read: its lists are empty. */
  z.object({ kind: z.literal('unreadable'), ...previewBase, because: z.string() }),
])
export type ChangePreview = z.infer<typeof changePreviewSchema>
/** The preview of one kind of change. */
export type PreviewOf<Kind extends ChangePreview['kind']> = Extract<ChangePreview, { kind: Kind }>

/** A plan that is not saved. */
export const changePlanSchema = z.object({
  cloud: z.string(),
  title: z.string(),
  preview: changePreviewSchema,
  ...stepSummary,
  /** All steps of a plan with at most 100; of a larger plan those of its first host and those that act on no host. */
  steps: z.array(plannedStepSchema),
})
export type ChangePlan = z.infer<typeof changePlanSchema>

/** The console that answers has read it with the schema of requests, whose rules the browser need not know. */
const inputSchema = z.custom<PlanChange>((value) => typeof value === 'object' && value !== null)

const changeProgress = {
  ...changeFacts,
  needsApproval: z.boolean(),
  approvedBy: z.nullable(z.string()),
  approvedAt: z.nullable(z.string()),
  window: z.nullable(z.object({ from: z.string(), until: z.string() })),
  batchHosts: z.nullable(z.int()),
  version: z.int(),
  lastAction: z.string(),
  lastBy: z.string(),
  lastAt: z.string(),
  ...changeProgressSteps,
}

/** What moves while a change runs. */
export const changeProgressSchema = z.object(changeProgress)
export type ChangeProgress = z.infer<typeof changeProgressSchema>

export const changeDetailSchema = z.object({
  ...changeProgress,
  /** What the change was planned from, as `POST /api/v1/changes` takes it; null: it can't be read any more. */
  input: z.nullable(inputSchema),
  preview: changePreviewSchema,
})
export type ChangeDetail = z.infer<typeof changeDetailSchema>
