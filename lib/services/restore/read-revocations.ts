import * as z from 'zod'

const CREDENTIAL_KINDS = ['agent-credential', 'api-token', 'join-token'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** A credential that was revoked, and when. */
export type Revocation = { kind: CredentialKind; id: number; at: Date }

const id = z.number().int().min(1).max(2_147_483_647)
const at = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** A line of the console's log. */
const logLineSchema = z.object({
  revokedAt: at,
  revoked: z.array(z.object({ kind: z.enum(CREDENTIAL_KINDS), id })),
})

/** An entry of the audit, as its export as JSON lines has it. */
const auditLineSchema = z.object({
  at,
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

const ofAgentSchema = z.object({ credentialId: id })
/** Enrollments have them in `before`, removed and merged hosts in `after`. */
const ofHostSchema = z.object({ revokedCredentialIds: z.array(id) })

const subjectId = (subject: string, kind: string): number[] => {
  const match = new RegExp(`^${kind}:([1-9][0-9]{0,9})$`).exec(subject)
  return match === null ? [] : [Number(match[1])]
}

const ofAudit = ({
  at: when,
  action,
  subject,
  before,
  after,
}: z.output<typeof auditLineSchema>): Revocation[] => {
  const as = (kind: CredentialKind) => (one: number) => ({ kind, id: one, at: when })
  switch (action) {
    case 'api-token.revoke':
      return subjectId(subject, 'api-token').map(as('api-token'))
    case 'join-token.revoke':
      return subjectId(subject, 'join-token').map(as('join-token'))
    case 'agent.revoke': {
      const { data } = ofAgentSchema.safeParse(before)
      return data === undefined ? [] : [data.credentialId].map(as('agent-credential'))
    }
    default:
      return [before, after].flatMap((details) => {
        const { data } = ofHostSchema.safeParse(details)
        return (data?.revokedCredentialIds ?? []).map(as('agent-credential'))
      })
  }
}

/** Lines of logs may have a prefix, such as journald's. */
const parseLine = (line: string): unknown => {
  const start = line.indexOf('{')
  if (start === -1) return null
  try {
    return JSON.parse(line.slice(start))
  } catch {
    return null
  }
}

/** The revocations of one line of the console's log or of an exported audit; any other line has none. */
export const readRevocations = (line: string): Revocation[] => {
  const parsed = parseLine(line)
  const logged = logLineSchema.safeParse(parsed)
  if (logged.success) return logged.data.revoked.map((one) => ({ ...one, at: logged.data.revokedAt }))
  const audited = auditLineSchema.safeParse(parsed)
  return audited.success ? ofAudit(audited.data) : []
}
