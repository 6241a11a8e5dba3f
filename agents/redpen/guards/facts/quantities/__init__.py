"""Numbers, dates, times, amounts and factors, read exactly."""
