import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import * as z from '@/lib/schemas/mini'

/** What was chosen on the page; the address holds it. `left`: projects without limits of their own. */
export const setUpWishSchema = z.object({
  texts: z.array(z.object({ resourceName: z.string(), text: z.string() })),
  left: z.array(z.string()),
  /** Rows without a region are deleted. */
  removesStrays: z.optional(z.boolean()),
})
export type SetUpWish = z.infer<typeof setUpWishSchema>

/** What a name is to be registered with; empty: it is left out. */
export const textOf = ({ texts }: SetUpWish, name: string): string =>
  texts.find(({ resourceName }) => resourceName === name)?.text.trim() ?? ''

export const withText = (wish: SetUpWish, resourceName: string, text: string): SetUpWish => ({
  ...wish,
  texts: [...wish.texts.filter((each) => each.resourceName !== resourceName), { resourceName, text }],
})

/** The defaults as they are proposed. */
export const wishOf = ({ needed }: Pick<LimitSetUp, 'needed'>): SetUpWish => ({
  texts: needed.flatMap(({ resourceName, proposed }) =>
    proposed === null ? [] : [{ resourceName, text: String(proposed) }],
  ),
  left: [],
})

const isLimit = (text: string): boolean => /^(-1|\d{1,10})$/.test(text)

/** Names whose text is no limit. */
export const badNames = ({ texts }: SetUpWish): string[] =>
  texts
    .filter(({ text }) => text.trim() !== '' && !isLimit(text.trim()))
    .map(({ resourceName }) => resourceName)

/** The plan: what is written as a default, own limits of the projects that take part, and the role. */
export const planOfSetUp = (
  cloud: string | null,
  { needed, proposals, user }: Pick<LimitSetUp, 'needed' | 'proposals' | 'user'>,
  wish: SetUpWish,
): PlanLimits => {
  const defaults = needed.flatMap(({ resourceName, registered }) => {
    const text = textOf(wish, resourceName)
    return registered === null && isLimit(text)
      ? [{ resourceName, projectId: null, value: Number(text) }]
      : []
  })
  const written = new Set([
    ...needed.flatMap(({ resourceName, registered }) => (registered === null ? [] : [resourceName])),
    ...defaults.map(({ resourceName }) => resourceName),
  ])
  const own = proposals.filter(
    ({ projectId, resourceName }) =>
      projectId !== null && !wish.left.includes(projectId) && written.has(resourceName),
  )
  return {
    cloud,
    kind: 'limits',
    limits: [...defaults, ...own],
    setUp: { user, domainId: null, removesStrays: wish.removesStrays === true },
  }
}
