import * as z from 'zod/mini'
import { ROLES } from '../roles'

const roleSchema = z.enum(ROLES)

const systemShape = { kind: z.literal('system') }
const projectShape = {
  kind: z.literal('project'),
  id: z.string(),
  name: z.string(),
  /** Name of the project's domain; its id where Keystone does not tell the name. */
  domain: z.string(),
}

const scopeSchema = z.discriminatedUnion('kind', [z.object(systemShape), z.object(projectShape)])
export type ScopeDto = z.infer<typeof scopeSchema>

/** The role that a choice gives. `none`: the roles there give no access. Null: the roles could not be read. */
const choiceShape = { role: z.nullable(z.enum([...ROLES, 'none'])) }
const scopeChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ ...systemShape, ...choiceShape }),
  z.object({ ...projectShape, ...choiceShape }),
])
export type ScopeChoice = z.infer<typeof scopeChoiceSchema>

/** What a person may choose after sign-in. */
export const scopeListSchema = z.object({
  user: z.string(),
  cloud: z.string(),
  scopes: z.array(scopeChoiceSchema),
  /** The one in use. */
  present: z.nullable(scopeSchema),
})
export type ScopeList = z.infer<typeof scopeListSchema>

/** The identity of a person in the console. */
export const accountSchema = z.object({
  /** `local`: the console runs without sign-in. */
  mode: z.enum(['local', 'keystone']),
  user: z.string(),
  domain: z.nullable(z.string()),
  cloud: z.nullable(z.string()),
  scope: z.nullable(scopeSchema),
  role: roleSchema,
  /** Keystone's names for it; empty for API tokens and without sign-in. */
  keystoneRoles: z.array(z.string()),
  /** The console's clock at the answer. */
  now: z.string(),
  /** When the session ends at the latest. */
  expiresAt: z.nullable(z.string()),
})
export type AccountDto = z.infer<typeof accountSchema>

/** `isScoped`: there was one choice, and it is taken; else the scope is still to be chosen. */
export const signedInSchema = z.object({ isScoped: z.boolean() })

const sessionSchema = z.object({
  id: z.int(),
  isThisOne: z.boolean(),
  scope: z.nullable(scopeSchema),
  role: z.nullable(roleSchema),
  method: z.string(),
  address: z.string(),
  /** Browser and system in a few words. */
  agent: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
})
export type SessionDto = z.infer<typeof sessionSchema>

export const sessionListSchema = z.object({ sessions: z.array(sessionSchema) })
export type SessionList = z.infer<typeof sessionListSchema>

/** Why a sign-in by WebSSO came back without a session. */
export const LOGIN_PROBLEMS = ['not-started', 'no-role', 'failed'] as const
export type LoginProblem = (typeof LOGIN_PROBLEMS)[number]

/** What the sign-in page offers; nothing in it is secret. */
export type SignInOptions = {
  clouds: { name: string; region: string | null }[]
  /** Labels of the ways through an identity provider. */
  webSso: string[]
}
export type SignedIn = z.infer<typeof signedInSchema>
