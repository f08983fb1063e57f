'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button, buttonStyle } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'

/** Where a change is prepared; whoever may not plan sees why. */
export const PlanLink = ({
  href,
  children,
  ...style
}: { href: string; children: string } & Pick<ComponentProps<typeof Button>, 'variant' | 'size'>) => {
  const refusal = useRefusal('change.plan')
  if (refusal === null)
    return (
      <Link href={href} className={buttonStyle(style)}>
        {children}
      </Link>
    )
  return (
    <Tooltip content={refusal}>
      <Button {...style} isUnavailable>
        {children}
      </Button>
    </Tooltip>
  )
}
