import * as z from 'zod/mini'
import { CHANGE_STATES } from '../states'
import { pageShape } from './page'

export const changeStateSchema = z.enum(CHANGE_STATES)

/** What a list and the page of a change have in common. */
export const changeFacts = {
  id: z.int(),
  cloud: z.string(),
  kind: z.string(),
  title: z.string(),
  state: changeStateSchema,
  isByHand: z.boolean(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** Whose Keystone token the steps use. */
  runBy: z.nullable(z.string()),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  stopReason: z.nullable(z.string()),
}

export const changeListSchema = z.object({
  cloud: z.string(),
  /** A next page has older ones. */
  isCut: z.boolean(),
  ...pageShape,
  changes: z.array(
    z.object({
      ...changeFacts,
      stepCount: z.int(),
      /** Done or skipped. */
      endedSteps: z.int(),
      /** Null: the preview of the change can't be read. */
      pgpuCount: z.nullable(z.int()),
      /** The reason why the current step waits, is blocked or failed. */
      trouble: z.nullable(z.string()),
    }),
  ),
})
export type ChangeList = z.infer<typeof changeListSchema>
export type ListedChange = ChangeList['changes'][number]
