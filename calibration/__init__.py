"""Table profiles: fitted from frames, judged, kept, watched for drift."""
