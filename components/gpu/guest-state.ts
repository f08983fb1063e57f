const WORDS: Record<string, string> = { shutoff: 'shut off' }

/** The display name of libvirt's state of a guest. */
export const guestStateLabel = (state: string): string => WORDS[state] ?? state
