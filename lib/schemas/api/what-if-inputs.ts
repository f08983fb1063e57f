import * as z from 'zod'
import { MAX_CHANGE_HOSTS, MAX_WHAT_IF_GPUS, MAX_WHAT_IF_STEPS } from './change-limits'

const typeId = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be the id of a vGPU type, like nvidia-320')
const hostName = z.string().trim().min(1).max(255)
const aggregateName = z.string().min(1).max(255)
const hostNames = z.array(hostName).min(1, 'must name at least one host').max(MAX_CHANGE_HOSTS)

const stepSchema = z.discriminatedUnion('do', [
  /** This number of cards, the least used ones. */
  z.strictObject({
    do: z.literal('type'),
    count: z.int().min(1).max(MAX_WHAT_IF_GPUS),
    from: typeId,
    to: typeId,
  }),
  z.strictObject({ do: z.literal('add'), count: z.int().min(1).max(MAX_WHAT_IF_GPUS), like: hostName }),
  z.strictObject({ do: z.literal('remove'), hosts: hostNames }),
  z.strictObject({ do: z.literal('move'), hosts: hostNames, from: aggregateName, to: aggregateName }),
])

/** Steps, applied in order; without steps: the current fleet, and the available choices. */
export const whatIfInputSchema = z.strictObject({
  cloud: z.string().max(128).nullable(),
  steps: z.array(stepSchema).max(MAX_WHAT_IF_STEPS),
})
export type WhatIfInput = z.input<typeof whatIfInputSchema>
export type WhatIfStepInput = WhatIfInput['steps'][number]
