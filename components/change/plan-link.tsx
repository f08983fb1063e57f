'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button, buttonStyle } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'

/** Where a change is prepared; whoever may not plan, or can't now, sees why. */
export const PlanLink = ({
  href,
  children,
  because = null,
  ...style
}: {
  href: string
  children: string
  /** Why it can't be planned now, in a sentence that the page also shows; null: it can. */
  because?: string | null
} & Pick<ComponentProps<typeof Button>, 'variant' | 'size'>) => {
  const refusal = useRefusal('change.plan') ?? because
  if (refusal === null)
    return (
      <Link href={href} className={buttonStyle(style)}>
        {children}
      </Link>
    )
  return (
    <Tooltip content={refusal}>
      <Button {...style} isUnavailable title={refusal}>
        {children}
      </Button>
    </Tooltip>
  )
}
