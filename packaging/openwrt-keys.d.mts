export function uciKeys(): string;
export function luciKeys(): string;
export function writeOpenwrtKeys(folder: string): void;
