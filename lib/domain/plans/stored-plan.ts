import * as z from 'zod'
import { type ChangePreview, changePreviewSchema } from '@/lib/schemas/api/change'
import { type PlanChange, planChangeSchema } from '@/lib/schemas/api/change-inputs'
import { sh } from '@/lib/util/encode/shell'
import { storedText } from '@/lib/util/encode/stored'
import type { Step } from './step'
import { type StepTask, stepTaskSchema } from './types'

/** Of the JSON that the database has of a change. Version 1 has other names; a row without a version is older than both. */
const VERSION = 2

type Versioned = Readonly<Record<string, unknown>> & { version: typeof VERSION }

/** The form in which a step, an intent, an input or a preview is stored. */
export const toStored = (value: object): Versioned => ({ ...value, version: VERSION })

const OLDER = z.looseObject({ version: z.undefined().optional() })
const PREVIOUS = z.looseObject({ version: z.literal(1) })
const CURRENT = z.looseObject({ version: z.literal(VERSION) })
const NEWER = z.looseObject({ version: z.int().min(VERSION + 1) })

type Upgrade = (older: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

const unchanged: Upgrade = (older) => older

/**
 * The content of a stored object in the form of this version, not parsed yet; or why there is none. `rename` applies to all
 * earlier versions, `upgrade` to those before it.
 */
const contentOf = (
  stored: unknown,
  { upgrade = unchanged, rename = unchanged }: { upgrade?: Upgrade; rename?: Upgrade } = {},
): { content: Readonly<Record<string, unknown>> } | { because: string } => {
  const older = OLDER.safeParse(stored)
  if (older.success) return { content: rename(upgrade(older.data)) }
  const previous = PREVIOUS.safeParse(stored)
  if (previous.success) {
    const { version: _, ...content } = previous.data
    return { content: rename(content) }
  }
  const current = CURRENT.safeParse(stored)
  if (current.success) {
    const { version: _, ...content } = current.data
    return { content }
  }
  return {
    because: NEWER.safeParse(stored).success
      ? 'a newer version of the console stored it'
      : 'its row in the database is damaged',
  }
}

type Names = Readonly<Record<string, string>>

/** With new names at every depth: for previews, whose members all have fixed names. */
const renameDeep = (value: unknown, names: Names): unknown => {
  if (Array.isArray(value)) return value.map((each) => renameDeep(each, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [names[name] ?? name, renameDeep(member, names)]),
  )
}

const renameMembers =
  (names: Names): Upgrade =>
  (older) =>
    Object.fromEntries(Object.entries(older).map(([name, member]) => [names[name] ?? name, member]))

const damagedAt = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'its row in the database is damaged'
    : `its row in the database is damaged at ${path.map(String).join('.')}`

const parseWith = <T>(
  schema: z.ZodType<T>,
  content: unknown,
): { value: T; because: null } | { value: null; because: string } => {
  const { success, data, error } = schema.safeParse(content)
  return success
    ? { value: data, because: null }
    : { value: null, because: damagedAt(error.issues[0]?.path ?? []) }
}

/** The stored data of a step before or after it was done, sufficient to revert it. */
export type Intent = Readonly<Record<string, unknown>>

/** What a step has recorded; `because` is set when it can't be read. */
export const parseIntent = (
  stored: unknown,
): { intent: Intent | null; because: null } | { intent: null; because: string } => {
  if (stored === null) return { intent: null, because: null }
  const read = contentOf(stored)
  return 'because' in read ? { intent: null, because: read.because } : { intent: read.content, because: null }
}

/** The task of a step that this version of the console can't read. */
type UnreadableTask = { kind: 'unreadable'; because: string }

/** A step as it is read from the database. */
export type StoredStep = Step<StepTask | UnreadableTask>

const textsSchema = z.object({
  id: z.string(),
  title: z.string(),
  doer: z.enum(['console', 'agent', 'operator']),
  /** Guarantee: only saveChange writes steps, from plans whose types accept nothing but encoded text. */
  calls: z.array(z.string().transform((text) => storedText<'http'>(text))),
  command: z.string().transform((text) => storedText<'shell'>(text)),
  undoCommand: z.string().transform((text) => storedText<'shell'>(text)),
  sees: z.string(),
  precondition: z.string(),
  check: z.string(),
  undo: z.string(),
})

const withTaskSchema = z.object({ task: stepTaskSchema })

const PLAN_AGAIN = sh`printf '%s\\n' 'An earlier version of the console planned this step: plan the change again.' >&2; exit 1`
const UNREADABLE = sh`printf '%s\\n' 'The console cannot read this step: plan the change again.' >&2; exit 1`

/**
 * Before versions a step named the version of its encoders. Commands of a step from before the encoders are withheld, since
 * a reported text may run in them.
 */
const upgradeStep: Upgrade = ({ encoders, ...step }) =>
  encoders === undefined ? { ...step, calls: [], command: PLAN_AGAIN, undoCommand: PLAN_AGAIN } : step

const renameTask: Upgrade = ({ task, ...step }) => ({
  ...step,
  task:
    typeof task === 'object' && task !== null ? renameMembers({ place: 'limitScope' })({ ...task }) : task,
})

const unreadableStep = (position: number, because: string): StoredStep => ({
  id: `unreadable/${position}`,
  title: `Step ${position + 1} cannot be read`,
  doer: 'operator',
  calls: [],
  command: UNREADABLE,
  undoCommand: UNREADABLE,
  sees: `The step is unknown: ${because}.`,
  precondition: 'The change stops at this step. Skip the step, or discard the change and plan it again.',
  check: 'None: the console cannot check this step.',
  undo: 'None: the console cannot revert this step.',
  task: { kind: 'unreadable', because },
})

const readBody = (stored: unknown, position: number): StoredStep => {
  const read = contentOf(stored, { upgrade: upgradeStep, rename: renameTask })
  if ('because' in read) return unreadableStep(position, read.because)
  const texts = parseWith(textsSchema, read.content)
  if (texts.value === null) return unreadableStep(position, texts.because)
  const { value, because } = parseWith(withTaskSchema, read.content)
  return { ...texts.value, task: value === null ? { kind: 'unreadable', because } : value.task }
}

/** A step of a change with its record. What can't be read is stated in the step's own texts and task. */
export const parseStoredStep = ({
  position,
  body,
  intent: stored,
}: {
  position: number
  body: unknown
  intent: unknown
}): { body: StoredStep; intent: Intent | null } => {
  const step = readBody(body, position)
  const { intent, because } = parseIntent(stored)
  // An empty intent: there is an effect without further data.
  return because === null
    ? { body: step, intent }
    : { body: { ...step, task: { kind: 'unreadable', because } }, intent: {} }
}

const renameInput = renameMembers({
  wish: 'input',
  isKept: 'isManaged',
  isLandingNowhereAccepted: 'isNoMatchAccepted',
})

/** What a change was planned from; null: it can't be read. */
export const parseStoredInput = (stored: unknown): PlanChange | null => {
  const read = contentOf(stored, { rename: renameInput })
  return 'because' in read ? null : parseWith(planChangeSchema, read.content).value
}

/** Before versions a preview had no kind, and parts of a kind were missing where an older console did not plan them. */
const upgradePreview =
  (kind: string): Upgrade =>
  (older) => ({
    traitTexts: { files: [], deviceSpecs: [] },
    traitNaming: null,
    typeChange: null,
    ...older,
    kind,
  })

const PREVIEW_NAMES: Names = {
  most: 'max',
  landing: 'placementPreview',
  untold: 'unknown',
  room: 'freeCapacity',
}

const renamePreview: Upgrade = (older) =>
  Object.fromEntries(Object.entries(older).map(([name, member]) => [name, renameDeep(member, PREVIEW_NAMES)]))

const unreadablePreview = (because: string): ChangePreview => ({
  kind: 'unreadable',
  because,
  targets: [],
  refusals: [],
  unchanged: [],
  flavors: [],
})

/** What a change of this kind means, as the plan computed it. */
export const parseStoredPreview = (kind: string, stored: unknown): ChangePreview => {
  const read = contentOf(stored, { upgrade: upgradePreview(kind), rename: renamePreview })
  if ('because' in read) return unreadablePreview(read.because)
  const { success, data, error } = z.safeParse(changePreviewSchema, read.content)
  if (!success) return unreadablePreview(damagedAt(error.issues[0]?.path ?? []))
  return data.kind === kind ? data : unreadablePreview(damagedAt(['kind']))
}
