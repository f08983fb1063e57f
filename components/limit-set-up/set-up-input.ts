import '@/lib/schemas/without-eval'
import * as z from 'zod/mini'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'

/** The selection of the page; the search params contain it. `left`: projects without project limits. */
export const setUpInputSchema = z.object({
  texts: z.array(z.object({ resourceName: z.string(), text: z.string() })),
  left: z.array(z.string()),
  /** Projects that get limits, in place of `left`. */
  projects: z.optional(z.array(z.string())),
  /** Rows without a region are deleted. */
  removesStrays: z.optional(z.boolean()),
})
export type SetUpInput = z.infer<typeof setUpInputSchema>

/** What a name is to be registered with; empty: it is left out. */
export const textOf = ({ texts }: SetUpInput, name: string): string =>
  texts.find(({ resourceName }) => resourceName === name)?.text.trim() ?? ''

export const withText = (input: SetUpInput, resourceName: string, text: string): SetUpInput => ({
  ...input,
  texts: [...input.texts.filter((each) => each.resourceName !== resourceName), { resourceName, text }],
})

/** The proposed defaults. */
export const proposedInput = ({ needed }: Pick<LimitSetUp, 'needed'>): SetUpInput => ({
  texts: needed.flatMap(({ resourceName, proposed }) =>
    proposed === null ? [] : [{ resourceName, text: String(proposed) }],
  ),
  left: [],
})

/** Ids of the projects that get no limit. */
const leftOf = ({ proposals }: Pick<LimitSetUp, 'proposals'>, { left, projects }: SetUpInput): string[] =>
  projects === undefined
    ? left
    : [...new Set(proposals.flatMap(({ projectId }) => projectId ?? []))].filter(
        (projectId) => !projects.includes(projectId),
      )

/** The same input with `left` alone, as the form changes it. */
export const withLeft = (setUp: Pick<LimitSetUp, 'proposals'>, input: SetUpInput): SetUpInput => {
  const { projects: _, ...rest } = input
  return { ...rest, left: leftOf(setUp, input) }
}

const isLimit = (text: string): boolean => /^(-1|\d{1,10})$/.test(text)

/** Names whose text is no limit. */
export const badNames = ({ texts }: SetUpInput): string[] =>
  texts
    .filter(({ text }) => text.trim() !== '' && !isLimit(text.trim()))
    .map(({ resourceName }) => resourceName)

/** The plan: what is written as a default, own limits of the projects that take part, and the role. */
export const planOfSetUp = (
  cloud: string | null,
  { needed, proposals, user, domainId }: Pick<LimitSetUp, 'needed' | 'proposals' | 'user' | 'domainId'>,
  input: SetUpInput,
): PlanLimits => {
  const defaults = needed.flatMap(({ resourceName, registered }) => {
    const text = textOf(input, resourceName)
    return registered === null && isLimit(text)
      ? [{ resourceName, projectId: null, value: Number(text) }]
      : []
  })
  const written = new Set([
    ...needed.flatMap(({ resourceName, registered }) => (registered === null ? [] : [resourceName])),
    ...defaults.map(({ resourceName }) => resourceName),
  ])
  const left = leftOf({ proposals }, input)
  const own = proposals.filter(
    ({ projectId, resourceName }) =>
      projectId !== null && !left.includes(projectId) && written.has(resourceName),
  )
  return {
    cloud,
    kind: 'limits',
    limits: [...defaults, ...own],
    setUp: { user, domainId, removesStrays: input.removesStrays === true },
  }
}
