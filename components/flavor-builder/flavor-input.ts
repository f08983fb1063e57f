import '@/lib/schemas/without-eval'
import * as z from 'zod/mini'
import { buildExtraSpecs } from '@/lib/domain/flavor/build-extra-specs'
import type { PlanFlavor } from '@/lib/schemas/api/change-inputs'
import { SPEC_KEY_PATTERN, TRAIT_PATTERN } from '@/lib/schemas/api/change-limits'

const gpuSchema = z.union([
  z.object({
    kind: z.literal('vgpu'),
    /** The selected type; without a distinct trait the server may get another type of its class. */
    type: z.string(),
    resourceClass: z.string(),
    trait: z.nullable(z.string()),
    count: z.int(),
    groupPolicy: z.enum(['isolate', 'none']),
  }),
  z.object({ kind: z.literal('pci'), alias: z.string(), count: z.int() }),
])

/** A requested flavor in the form and the search params; numbers as they were typed. */
export const newFlavorInputSchema = z.object({
  name: z.string(),
  description: z.string(),
  gpu: z.nullable(gpuSchema),
  vcpus: z.string(),
  memoryGib: z.string(),
  diskGib: z.string(),
  isPublic: z.boolean(),
  projectIds: z.array(z.string()),
  /** Empty: none. */
  aggregate: z.string(),
  hosts: z.array(z.string()),
  /** `key=value`, one in each line. */
  properties: z.string(),
  more: z.string(),
  isNowhereAccepted: z.boolean(),
})
export type NewFlavorInput = z.infer<typeof newFlavorInputSchema>

/** The requested changes of existing flavors. */
export const flavorChangeInputSchema = z.object({
  trait: z.string(),
  set: z.string(),
  /** One key per line. */
  unset: z.string(),
  /** Null: it stays. */
  description: z.nullable(z.string()),
  grant: z.array(z.string()),
  revoke: z.array(z.string()),
  /** That ties them from now on; empty: what ties them stays. */
  aggregate: z.string(),
  hosts: z.array(z.string()),
  /** `key=value`, one in each line. */
  properties: z.string(),
  isNowhereAccepted: z.boolean(),
})
export type FlavorChangeInput = z.infer<typeof flavorChangeInputSchema>

export const EMPTY_FLAVOR: NewFlavorInput = {
  name: '',
  description: '',
  gpu: null,
  vcpus: '4',
  memoryGib: '16',
  diskGib: '40',
  isPublic: true,
  projectIds: [],
  aggregate: '',
  hosts: [],
  properties: '',
  more: '',
  isNowhereAccepted: false,
}

export const EMPTY_CHANGE: FlavorChangeInput = {
  trait: '',
  set: '',
  unset: '',
  description: null,
  grant: [],
  revoke: [],
  aggregate: '',
  hosts: [],
  properties: '',
  isNowhereAccepted: false,
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Parses `key=value` lines; the first invalid line becomes the error text. */
export const readPairs = (
  text: string,
): { pairs: Record<string, string>; problem: null } | { pairs: null; problem: string } => {
  const pairs: Record<string, string> = {}
  for (const line of linesOf(text)) {
    const at = line.indexOf('=')
    const key = line.slice(0, at).trim()
    if (at < 1 || !SPEC_KEY_PATTERN.test(key))
      return { pairs: null, problem: `“${line}” is not a key=value pair. Enter one per line.` }
    pairs[key] = line.slice(at + 1).trim()
  }
  return { pairs, problem: null }
}

/** Whole numbers as people type them; NaN for anything else. */
const whole = (text: string): number => (/^\d{1,8}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Memory may be a part of a GiB, if it is whole in MiB. */
const mibOf = (gib: string): number => {
  const mib = /^\d{1,6}(\.\d{1,10})?$/.test(gib.trim()) ? Number(gib) * 1024 : Number.NaN
  return Number.isInteger(mib) ? mib : Number.NaN
}

export type InputProblems = Partial<Record<keyof NewFlavorInput, string>>

const inRange = (value: number, min: number, max: number): boolean => value >= min && value <= max

/** The errors of the input, by field; empty if it can be planned. */
export const problemsOf = (input: NewFlavorInput): InputProblems => {
  const properties = readPairs(input.properties).problem
  const more = readPairs(input.more).problem
  return {
    ...(input.name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(inRange(whole(input.vcpus), 1, 1024) ? {} : { vcpus: 'Enter a whole number from 1 to 1024.' }),
    ...(inRange(mibOf(input.memoryGib), 1, 67_108_864)
      ? {}
      : { memoryGib: 'Enter a size in GiB, for example 16 or 0.5.' }),
    ...(inRange(whole(input.diskGib), 0, 1_048_576)
      ? {}
      : { diskGib: 'Enter a whole number of GiB, or 0 for none.' }),
    ...(properties === null ? {} : { properties }),
    ...(more === null ? {} : { more }),
  }
}

/** The literal extra specs, as far as the input is valid. */
export const specsOf = ({ gpu, aggregate, properties, more }: NewFlavorInput): Record<string, string> =>
  buildExtraSpecs({
    gpu,
    aggregateProperties: aggregate.trim() === '' ? {} : (readPairs(properties).pairs ?? {}),
    more: readPairs(more).pairs ?? {},
  })

const tieOf = ({
  aggregate,
  hosts,
  properties,
}: Pick<NewFlavorInput, 'aggregate' | 'hosts' | 'properties'>) => {
  const name = aggregate.trim()
  return name === '' ? null : { name, hosts, properties: readPairs(properties).pairs ?? {} }
}

/** Converts valid input into the console's request. */
export const planOfNew = (cloud: string | null, input: NewFlavorInput): PlanFlavor => {
  const description = input.description.trim()
  return {
    cloud,
    kind: 'flavor',
    isNoMatchAccepted: input.isNowhereAccepted,
    input: {
      do: 'create',
      flavor: {
        name: input.name.trim(),
        description: description === '' ? null : description,
        vcpus: whole(input.vcpus),
        memoryMib: mibOf(input.memoryGib),
        diskGib: whole(input.diskGib),
        isPublic: input.isPublic,
        extraSpecs: specsOf(input),
        projectIds: input.isPublic ? [] : input.projectIds,
      },
      aggregate: tieOf(input),
    },
  }
}

/** The errors of the input for existing flavors. */
export const changeProblems = (
  input: FlavorChangeInput,
): Partial<Record<keyof FlavorChangeInput, string>> => {
  const set = readPairs(input.set).problem
  const properties = readPairs(input.properties).problem
  const wrong = linesOf(input.unset).find((key) => !SPEC_KEY_PATTERN.test(key))
  const trait = input.trait.trim()
  return {
    ...(trait === '' || TRAIT_PATTERN.test(trait)
      ? {}
      : { trait: 'Use capitals, digits and underscores, for example CUSTOM_NVIDIA_A40_4Q.' }),
    ...(set === null ? {} : { set }),
    ...(properties === null ? {} : { properties }),
    ...(wrong === undefined ? {} : { unset: `“${wrong}” is not a valid extra spec key.` }),
  }
}

/** Converts the input for flavors of these ids into the console's request. */
export const planOfChange = (
  cloud: string | null,
  flavorIds: readonly string[],
  input: FlavorChangeInput,
): PlanFlavor => ({
  cloud,
  kind: 'flavor',
  isNoMatchAccepted: input.isNowhereAccepted,
  input: {
    do: 'change',
    flavorIds: [...flavorIds],
    trait: input.trait.trim() === '' ? null : input.trait.trim(),
    set: readPairs(input.set).pairs ?? {},
    unset: linesOf(input.unset),
    ...(input.description === null ? {} : { description: input.description }),
    grant: input.grant,
    revoke: input.revoke,
    aggregate: tieOf(input),
  },
})
