import type * as z from 'zod/v4/core'
import type { Action } from '@/lib/domain/access/permissions'

/** Who may call: the roles of the action, any account, a session without a project yet, or anyone. */
export type Admission = Action | 'account' | 'session' | 'anyone'

/** One method of one path of the API, with the schemas that its route checks. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{name}` for each part that varies. */
  path: string
  summary: string
  may: Admission
  params?: z.$ZodType
  query?: z.$ZodType
  body?: z.$ZodType
  /** JSON by a schema, a text, or nothing. */
  answer: z.$ZodType | 'text' | null
  /** 200, or 204 where nothing is answered, when absent. */
  status?: 201
}

/** Operations that belong together, in the order in which they are read. */
export type Area = { title: string; about: string; operations: readonly Operation[] }
