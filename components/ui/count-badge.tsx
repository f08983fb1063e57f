import type { ComponentProps } from 'react'
import { Tag } from './tag'

/** A number at the end of a link or tab. `label`: its meaning, on hover and for a screen reader. */
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
