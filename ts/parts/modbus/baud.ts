/** The form of a serial line: bits a second, then perhaps data bits, parity and stop bits, then perhaps `rs485`. */
export const baudPattern = /^([0-9]{3,7})(?: 8([NEO])([12]))?( rs485)?$/;
