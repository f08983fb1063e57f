import { createToggle } from '@/components/ui/toggle-store'

export const searchToggle = createToggle()
