'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { useIsRefused } from '@/components/shell/use-is-refused'
import { type Button, buttonStyle } from '@/components/ui/button'

const UnavailablePlanLink = dynamic(() =>
  import('./unavailable-plan-link').then((module) => module.UnavailablePlanLink),
)

/** A link to the page of a plan; where it is not available, the reason. */
export const PlanLink = ({
  href,
  children,
  because = null,
  'aria-label': accessibleLabel,
  ...style
}: {
  href: string
  children: string
  /** Why it can't be planned now, in a sentence that the page also shows; null: it can. */
  because?: string | null
} & Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'aria-label'>) => {
  // Undefined: the role does not allow it.
  const refusal = useIsRefused('change.plan') ? undefined : because
  if (refusal === null)
    return (
      <Link href={href} prefetch={false} className={buttonStyle(style)} aria-label={accessibleLabel}>
        {children}
      </Link>
    )
  return (
    <UnavailablePlanLink {...style} aria-label={accessibleLabel} because={refusal}>
      {children}
    </UnavailablePlanLink>
  )
}
