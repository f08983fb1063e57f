import * as z from 'zod/mini'
import { exhaustionSchema, noForecastSchema } from './forecast'
import { moneySchema } from './price'

const beforeAfter = z.object({ before: z.int(), after: z.int() })

/** `unpricedCards`: cards without a known price, and the reason for the first of them. */
const valueSchema = z.object({
  /** By currency. */
  amounts: z.array(moneySchema),
  unpricedCards: z.int(),
  because: z.nullable(z.string()),
})
export type ScenarioValue = z.infer<typeof valueSchema>

const outcomeSchema = z.object({
  /** Why the step can't be, with the way out; it is left out then. */
  problem: z.nullable(z.string()),
  /** vGPUs in use on what it takes away. */
  moving: z.int(),
  /** Cards that get another type. */
  targets: z.array(z.object({ host: z.string(), address: z.string() })),
  /** Commands, or what is to be ordered; null: a change of the console does it. */
  text: z.nullable(z.string()),
  /** What the added capacity is worth per month by the price list of the step's day; negative: capacity is removed. */
  perMonth: valueSchema,
})
export type StepOutcomeDto = z.infer<typeof outcomeSchema>

/** When it is full if the current trend continues; null: unknown, and `none` may have the reason. */
const fullSchema = z.object({
  before: z.nullable(exhaustionSchema),
  after: z.nullable(exhaustionSchema),
  none: z.nullable(noForecastSchema),
  /** It is full from a day until a step brings more capacity; null: not before `after`. */
  shortage: z.nullable(z.object({ from: z.string(), until: z.string() })),
  /** vGPUs in use at once at the most in the last seven known days, with the demand that would go or come; null: not known. */
  peak: z.nullable(z.number()),
})

const typeSchema = z.object({
  key: z.string(),
  label: z.string(),
  cards: beforeAfter,
  capacity: beforeAfter,
  /** vGPUs in use now, including those of servers that have to move. */
  used: z.int(),
  full: fullSchema,
})
export type ScenarioType = z.infer<typeof typeSchema>

const named = z.object({ typeId: z.string(), name: z.string() })

export const scenarioResultSchema = z.object({
  cloud: z.string(),
  /** Why the last reading is too old to count by; null: it is not. */
  gap: z.nullable(z.string()),
  /** Day of the forecasts; null: there is no history. */
  today: z.nullable(z.string()),
  /** In the order of the steps. */
  outcomes: z.array(outcomeSchema),
  /** Of all steps together. */
  perMonth: valueSchema,
  types: z.array(typeSchema),
  /** Those that change most, then the large ones, of `aggregateCount`. */
  aggregates: z.array(
    /** `full` counts the demand that goes with moved hosts from the start. */
    z.object({
      key: z.string(),
      label: z.string(),
      capacity: beforeAfter,
      used: beforeAfter,
      full: fullSchema,
    }),
  ),
  aggregateCount: z.int(),
  /** How many more servers of GPU flavors fit, those that change most of `flavorCount`; null: unknown, and `because` has the reason. */
  flavors: z.nullable(
    z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        fits: beforeAfter,
        /** How many more in which aggregate, where it differs most; a host counts in each of its aggregates. */
        byAggregate: z.array(z.object({ name: z.string(), more: z.int() })),
        /** Aggregates where it differs and that are not in `byAggregate`. */
        moreAggregates: z.int(),
      }),
    ),
  ),
  flavorCount: z.int(),
  because: z.nullable(z.string()),
  choices: z.object({
    /** Types with cards, and what these could become. */
    types: z.array(z.object({ ...named.shape, cards: z.int(), to: z.array(named) })),
    /** Hosts with GPUs. */
    hosts: z.array(z.object({ name: z.string(), cards: z.int(), aggregates: z.array(z.string()) })),
    aggregates: z.array(z.string()),
    /** Cards of the table of cards with the names of their vGPU types. */
    cards: z.array(z.object({ model: z.string(), types: z.array(z.string()) })),
  }),
})
export type ScenarioResult = z.infer<typeof scenarioResultSchema>
