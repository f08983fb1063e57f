import type { $ZodType } from 'zod/v4/core'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { reportSchema } from '@/lib/schemas/agent/whole-report'
import { agentRoots, openStackRoots } from './edge-schemas'
import { type Replace, type Root, readStringFields } from './string-fields'

/** Replaces strings of what arrives at an edge; gets each with the path of its field. */
export type Attack = { replace: Replace } | { substitute: (text: string) => string }

const isAnswerSchema = (schema: $ZodType): schema is $ZodType & { safeParse: (value: unknown) => unknown } =>
  'safeParse' in schema

/** In every text below a value, in its keys too. */
const substituteAll = (value: unknown, substitute: (text: string) => string): unknown => {
  if (typeof value === 'string') return substitute(value)
  if (Array.isArray(value)) return value.map((item) => substituteAll(item, substitute))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [substitute(key), substituteAll(item, substitute)]),
  )
}

/** Replaces a value everywhere: alone, in a list, within a name and within a text of nova.conf. */
export const substitution =
  (from: string, to: string) =>
  (text: string): string => {
    if (text === from) return to
    if (from.length < 4 || !text.includes(from)) return text
    return text.replaceAll(from, /^[[{]/.test(text) ? JSON.stringify(to).slice(1, -1) : to)
  }

export type Edges = {
  /** Every string field at the edges, with its schemas. */
  fields: ReadonlyMap<string, readonly $ZodType[]>
  /** Until it is called again, what arrives is attacked; null: it arrives as it is. */
  use: (attack: Attack | null) => void
  /** A report as a hostile agent would send it. */
  report: <Sent extends object>(report: Sent) => Sent
  /** An answer as a service under attack would send it; only one that a client has parsed before is known again. */
  answer: (body: unknown) => unknown
  /** Fields by the values that they had in what was read since the last call. */
  seen: () => Map<string, Set<string>>
  close: () => void
}

/** As long as the edges are open, they know which schema of OpenStack's clients reads which answer. */
export const openEdges = async (): Promise<Edges> => {
  const agents = readStringFields(await agentRoots(), { areParts: false })
  const answers = readStringFields(openStackRoots(), { areParts: true })
  const readers = new Map<string, Root>()
  let attack: Attack | null = null
  let seen = new Map<string, Set<string>>()

  const note: Replace = (path, value) => {
    if (value !== null) seen.set(value, (seen.get(value) ?? new Set()).add(path))
    return undefined
  }
  const change = (fields: typeof agents, root: Root, value: unknown): unknown => {
    if (attack === null) return value
    return 'replace' in attack
      ? fields.replaceStrings(root, value, attack.replace)
      : substituteAll(value, attack.substitute)
  }
  let isInside = false
  const restore = openStackRoots().flatMap((root) => {
    const { schema } = root
    if (!isAnswerSchema(schema)) return []
    const { safeParse } = schema
    schema.safeParse = (value: unknown) => {
      // The walk through unions asks the same schemas.
      if (!isInside && attack === null) {
        isInside = true
        answers.replaceStrings(root, value, note)
        readers.set(JSON.stringify(value), root)
        isInside = false
      }
      return safeParse(value)
    }
    return [() => Object.assign(schema, { safeParse })]
  })
  return {
    fields: new Map([...agents.fields, ...answers.fields]),
    use: (next) => {
      attack = next
    },
    report: (report) => {
      const root = { name: 'report', schema: reportSchema }
      agents.replaceStrings(root, report, note)
      // Strings are replaced by strings, so that the shape stays.
      return change(agents, root, report) as typeof report
    },
    answer: (body) => {
      const root = readers.get(JSON.stringify(body))
      if (root === undefined || attack === null || !('replace' in attack)) return body
      isInside = true
      const changed = change(answers, root, body)
      isInside = false
      return changed
    },
    seen: () => {
      const all = seen
      seen = new Map()
      return all
    },
    close: () => {
      for (const each of restore) each()
    },
  }
}

/** The cloud with a value replaced in what OpenStack has and in what the console remembers of it. */
export const attacked = (input: FleetFacts, attack: Attack): FleetFacts =>
  'substitute' in attack
    ? {
        ...input,
        // Its own keys stay, though a limit may be called like one of them.
        facts: Object.fromEntries(
          Object.entries(input.facts).map(([part, value]) => [part, substituteAll(value, attack.substitute)]),
        ) as FleetFacts['facts'],
        traitMemory: substituteAll(input.traitMemory, attack.substitute) as FleetFacts['traitMemory'],
      }
    : input
