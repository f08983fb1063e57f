import type { OnboardingStep } from '@/lib/schemas/api/onboarding'
import { helpPath } from '@/lib/util/help-paths'
import { agentSettingsPath, findingsPath, limitSetUpPath, webhookSettingsPath } from '@/lib/util/paths'

type StepText = { title: string; text: string; action: string; path: (cloud: string | null) => string }

/** What a step is for, and where it is done. */
export const SET_UP_TEXTS: Readonly<Record<OnboardingStep, StepText>> = {
  cloud: {
    title: 'Connect a cloud',
    text: 'With a service account in clouds.yaml, Sliceboard reads Placement and Nova, and users sign in.',
    action: 'View instructions',
    path: (cloud) => helpPath({ cloud, address: 'operating', anchor: 'connect-a-cloud' }),
  },
  hosts: {
    title: 'Add hosts',
    text: 'One command installs the agent on a compute host.',
    action: 'Add hosts',
    path: (cloud) => agentSettingsPath({ cloud }),
  },
  findings: {
    title: 'Review findings',
    text: 'Correct, acknowledge or mute what the first reports show.',
    action: 'View findings',
    path: (cloud) => findingsPath({ cloud }),
  },
  limits: {
    title: 'Set limits',
    text: 'Limits of GPU classes keep one project from using all GPUs.',
    action: 'Set up limits',
    path: (cloud) => limitSetUpPath({ cloud }),
  },
  notifications: {
    title: 'Configure notifications',
    text: 'A webhook reports new findings and exhausted types.',
    action: 'Create webhook',
    path: (cloud) => webhookSettingsPath({ cloud }),
  },
}
