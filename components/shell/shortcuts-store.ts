import { createToggle } from '@/components/ui/toggle-store'

export const shortcutsToggle = createToggle()
