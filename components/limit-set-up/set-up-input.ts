import '@/lib/schemas/without-eval'
import * as z from 'zod/mini'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'

/** The selection of the page; the search params contain it. */
export const setUpInputSchema = z.object({
  texts: z.array(z.object({ resourceName: z.string(), text: z.string() })),
  /** Ids of projects without project limits. */
  left: z.array(z.string()),
  /** Ids of the projects that get limits, in place of `left`. */
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

/** A project takes part, so it gets project limits. */
export const isIncluded = ({ left, projects }: SetUpInput, projectId: string): boolean =>
  projects === undefined ? !left.includes(projectId) : projects.includes(projectId)

const withOrWithout = (ids: readonly string[], id: string, isWith: boolean): string[] =>
  isWith ? [...ids, id] : ids.filter((each) => each !== id)

/** The same input with or without a project. */
export const withProject = (input: SetUpInput, projectId: string, isIn: boolean): SetUpInput =>
  input.projects === undefined
    ? { ...input, left: withOrWithout(input.left, projectId, !isIn) }
    : { ...input, projects: withOrWithout(input.projects, projectId, isIn) }

const isLimit = (text: string): boolean => /^(-1|\d{1,10})$/.test(text)

/** Names whose text is no limit. */
export const badNames = ({ texts }: SetUpInput): string[] =>
  texts
    .filter(({ text }) => text.trim() !== '' && !isLimit(text.trim()))
    .map(({ resourceName }) => resourceName)

/** The plan: the defaults to register, the projects that get limits, and the role. The console computes the limits of projects. */
export const planOfSetUp = (
  cloud: string | null,
  { needed, user, domainId }: Pick<LimitSetUp, 'needed' | 'user' | 'domainId'>,
  input: SetUpInput,
): PlanLimits => ({
  cloud,
  kind: 'limits',
  limits: needed.flatMap(({ resourceName, registered }) => {
    const text = textOf(input, resourceName)
    return registered === null && isLimit(text)
      ? [{ resourceName, projectId: null, value: Number(text) }]
      : []
  }),
  setUp: {
    user,
    domainId,
    removesStrays: input.removesStrays === true,
    projects: input.projects === undefined ? { except: input.left } : { only: input.projects },
  },
})
