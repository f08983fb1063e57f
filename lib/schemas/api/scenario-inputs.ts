import * as z from 'zod'
import {
  MAX_CHANGE_HOSTS,
  MAX_DISK_GIB,
  MAX_MEMORY_MIB,
  MAX_SCENARIO_GPUS,
  MAX_SCENARIO_STEPS,
} from './change-limits'

const typeId = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be the id of a vGPU type, like nvidia-320')
const hostName = z.string().trim().min(1).max(255)
const aggregateName = z.string().min(1).max(255)
const hostNames = z.array(hostName).min(1, 'must name at least one host').max(MAX_CHANGE_HOSTS)
const count = z.int().min(1).max(MAX_SCENARIO_GPUS)
/** The day of the step in UTC; null or absent: at once. */
const date = z.iso.date('must be a date such as 2027-01-15').nullable().default(null)

const stepSchema = z.discriminatedUnion('do', [
  /** This number of cards, the least used ones. */
  z.strictObject({ do: z.literal('type'), count, from: typeId, to: typeId, date }),
  /** Hosts like an existing one. */
  z.strictObject({ do: z.literal('add'), count, like: hostName, date }),
  /** Hosts with cards of the table of cards. */
  z.strictObject({
    do: z.literal('new'),
    count,
    /** Cards of each host. */
    cards: z.int().min(1).max(16),
    model: z.string().trim().min(1).max(128),
    /** `L40S-12Q`. */
    typeName: z.string().trim().min(1).max(64),
    vcpus: z.int().min(1).max(4096),
    memoryGib: z
      .int()
      .min(1)
      .max(MAX_MEMORY_MIB / 1024),
    diskGib: z.int().min(1).max(MAX_DISK_GIB),
    aggregate: aggregateName.nullable(),
    date,
  }),
  z.strictObject({ do: z.literal('remove'), hosts: hostNames, date }),
  z.strictObject({ do: z.literal('move'), hosts: hostNames, from: aggregateName, to: aggregateName, date }),
])
export type ScenarioStepDto = z.output<typeof stepSchema>

export const scenarioStepsSchema = z.array(stepSchema).max(MAX_SCENARIO_STEPS)
const steps = scenarioStepsSchema
const name = z.string().trim().min(1, 'must not be empty').max(80)
const cloud = z.string().max(128).nullable()

/** Steps, applied in the order of their days; without steps: the current fleet, and the available choices. */
export const scenarioInputSchema = z.strictObject({ cloud, steps })
export type ScenarioInput = z.input<typeof scenarioInputSchema>

export const createScenarioSchema = z.strictObject({ cloud, name, steps })
export type CreateScenario = z.input<typeof createScenarioSchema>

export const saveScenarioSchema = z.strictObject({
  name,
  steps,
  /** The version that was changed. The save is refused if it is no longer the current one. */
  version: z.int().min(1),
})
export type SaveScenario = z.input<typeof saveScenarioSchema>

export const scenarioParamsSchema = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) })

/** The steps as they are stored. A release that changes their form raises the version and reads the older ones. */
export const storedStepsSchema = z.object({ version: z.literal(1), steps })
