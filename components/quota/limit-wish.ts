import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { QuotaList } from '@/lib/schemas/api/quota'
import * as z from '@/lib/schemas/mini'

/** A limit that is to be changed; `projectId` null: the registered default. */
export const limitKeysSchema = z.array(
  z.object({ resourceName: z.string(), projectId: z.nullable(z.string()) }),
)
export type LimitKey = z.infer<typeof limitKeysSchema>[number]

const MOST = 2_147_483_647

/** Why a text is no limit; undefined: it is one. Empty: a project's own limit goes. */
export const limitProblem = (text: string, { projectId }: LimitKey): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return projectId === null ? 'A default needs a number.' : undefined
  return /^(-1|\d{1,10})$/.test(trimmed) && Number(trimmed) <= MOST
    ? undefined
    : `A whole number from 0 to ${MOST}, or -1 for no limit.`
}

/** The plan for the texts of the keys. */
export const planOfTexts = (
  cloud: string | null,
  keys: readonly LimitKey[],
  texts: readonly string[],
): PlanLimits => ({
  cloud,
  kind: 'limits',
  limits: keys.map((key, place) => {
    const text = (texts[place] ?? '').trim()
    return { ...key, value: text === '' ? null : Number(text) }
  }),
})

/** The current value as text of the form: empty if a project has no project limit, and if none is known. */
export const textNow = (table: NonNullable<QuotaList['table']>, key: LimitKey): string => {
  const limit =
    key.projectId === null
      ? table.classes.find(({ resourceName }) => resourceName === key.resourceName)?.standard
      : table.rows.find((row) => row.resourceName === key.resourceName && row.projectId === key.projectId)
          ?.limit
  if (limit === undefined || (key.projectId !== null && limit.origin !== 'own')) return ''
  if (limit.origin === 'missing') return ''
  return limit.kind === 'number' ? String(limit.value) : limit.kind === 'unlimited' ? '-1' : ''
}
