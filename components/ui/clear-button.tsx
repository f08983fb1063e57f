import { X } from 'lucide-react'
import { Button } from './button'

/** Takes away what narrows a list; drawn while something does. */
export const ClearButton = ({ onClear }: { onClear: () => void }) => (
  <Button variant="ghost" onClick={onClear}>
    <X size={13} aria-hidden /> Clear
  </Button>
)
