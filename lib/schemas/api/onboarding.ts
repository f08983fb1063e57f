import * as z from 'zod/mini'

/** The steps of a new console, in their order. */
export const ONBOARDING_STEPS = ['cloud', 'hosts', 'findings', 'limits', 'notifications'] as const
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number]

export const onboardingSchema = z.object({
  cloud: z.string(),
  steps: z.array(z.object({ step: z.enum(ONBOARDING_STEPS), isDone: z.boolean() })),
})
export type Onboarding = z.infer<typeof onboardingSchema>
