import { TimedText } from '@/components/shell/timed-text'
import { Button } from '@/components/ui/button'
import { DialogClose } from '@/components/ui/dialog'

/** The foot of a form in a dialog: what went wrong with the whole of it, the way out, and the way on. */
export const FormFoot = ({
  error,
  isPending,
  label,
  pendingLabel,
}: {
  error: string | undefined
  isPending: boolean
  label: string
  pendingLabel: string
}) => (
  <>
    {error === undefined ? null : (
      <p role="alert" className="text-bad">
        <TimedText text={error} isWhole />
      </p>
    )}
    <div className="flex justify-end gap-2">
      <DialogClose asChild>
        <Button>Cancel</Button>
      </DialogClose>
      <Button type="submit" variant="main" isUnavailable={isPending}>
        {isPending ? pendingLabel : label}
      </Button>
    </div>
  </>
)
