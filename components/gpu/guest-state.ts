const WORDS: Record<string, string> = { shutoff: 'shut off' }

/** libvirt's state of a guest as it is drawn. */
export const guestStateWords = (state: string): string => WORDS[state] ?? state
