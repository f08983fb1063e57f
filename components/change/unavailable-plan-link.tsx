import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { describeRefusal } from '@/lib/domain/access/describe-refusal'

/** A link to the page of a plan that cannot be opened, with the reason. */
export const UnavailablePlanLink = ({
  children,
  because = describeRefusal('change.plan'),
  ...style
}: {
  children: string
  /** Absent: the role does not allow it. */
  because?: string | undefined
} & Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'aria-label'>) => (
  <Tooltip content={because}>
    <Button {...style} isUnavailable title={because}>
      {children}
    </Button>
  </Tooltip>
)
