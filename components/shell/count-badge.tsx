import type { ComponentProps } from 'react'
import { Tag } from '@/components/ui/tag'

/** A number at the end of a link. `label`: its meaning, on hover and for a screen reader. */
export const CountBadge = ({
  text,
  label,
  tone,
}: {
  text: string
  label: string
  tone: ComponentProps<typeof Tag>['tone']
}) => (
  <>
    <Tag aria-hidden title={label} tone={tone} className="tabular-nums">
      {text}
    </Tag>
    <span className="sr-only"> {label}</span>
  </>
)
