import { Button } from '@/components/ui/button'

/** The end of a form: its button, and the consent to what a plan refuses otherwise. */
export const PlanBar = ({
  label,
  isUnavailable = false,
  nowhere,
  isNowhereAccepted,
  onAccept,
}: {
  label: string
  isUnavailable?: boolean
  /** What is consented to: that no host can take such a server yet. */
  nowhere: string
  isNowhereAccepted: boolean
  onAccept: (isNowhereAccepted: boolean) => void
}) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
    <Button type="submit" variant="main" isUnavailable={isUnavailable}>
      {label}
    </Button>
    <label className="flex items-baseline gap-2">
      <input
        type="checkbox"
        checked={isNowhereAccepted}
        onChange={(event) => onAccept(event.target.checked)}
      />
      {nowhere}
    </label>
  </div>
)
